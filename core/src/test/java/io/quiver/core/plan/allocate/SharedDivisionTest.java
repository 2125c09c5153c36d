package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.importance.ImportanceLists.Setup;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.importance.ListCurve;
import io.quiver.core.keep.Ranked;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Two jobs that read by importance and two that read chunks, each its own data set, under one
 * capacity: no division of it is much better than the allocator's.
 */
class SharedDivisionTest {
  private static final int ITEMS = 4_000;
  private static final int CHUNKS = 20;
  private static final int EPOCHS = 5;

  /**
   * A job: the time of an item with each number of steps held, as replayed rather than foreseen.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Reader(Demand demand, JobSpeed speed, double[] unread) {
    double saved(int held) {
      double seconds = Math.max(speed.hitSeconds(), unread[held] * speed.missSeconds());
      return speed.gpusSaved(seconds);
    }
  }

  private static Reader importance(int number, long bytes, JobSpeed speed, long seed) {
    ImportanceLists lists = ImportanceLists.begin(Setup.of(ITEMS, 10, seed, ImportanceMode.SHADE));
    lists.begin(0);
    List<Double> told = Arrays.stream(lists.unread()).boxed().toList();
    double[] replayed = new double[ListCurve.STEPS + 1];
    for (int held = 0; held <= ListCurve.STEPS; held++) {
      replayed[held] = 1 - hits(seed, (long) ITEMS * held / ListCurve.STEPS);
    }
    Tenant tenant = new Tenant.ImportanceKey(key(number));
    Demand demand = Demand.of(tenant, bytes, UnreadCurve.mean(List.of(told)), List.of(speed));
    return new Reader(demand, speed, replayed);
  }

  /** Returns the share of hits in the last of some epochs with a cache of so many items. */
  private static double hits(long seed, long size) {
    ImportanceLists lists = ImportanceLists.begin(Setup.of(ITEMS, 10, seed, ImportanceMode.SHADE));
    Ranked cache = new Ranked(size);
    int hits = 0;
    for (int number = 0; number < EPOCHS; number++) {
      ImportanceEpoch epoch = lists.begin(number);
      hits = 0;
      for (int place = 0; place < ITEMS; place++) {
        int item = epoch.list().at(place);
        long priority = epoch.priority(place);
        if (cache.holds(item)) {
          hits++;
          cache.rank(item, priority);
        } else if (priority > 0) {
          cache.offer(item, 1, priority, victim -> {});
        }
      }
    }
    return (double) hits / ITEMS;
  }

  private static Reader chunks(int number, long bytes, JobSpeed speed) {
    Demand demand = Demand.ring(key(number), bytes, CHUNKS, 2, 1, List.of(speed));
    double[] unread = new double[CHUNKS + 1];
    Arrays.setAll(unread, held -> 1 - (double) held / CHUNKS);
    return new Reader(demand, speed, unread);
  }

  private static DatasetKey key(int number) {
    return new DatasetKey(String.format(Locale.ROOT, "%016x", number));
  }

  private static JobSpeed speed(Random random, String job) {
    return JobSpeed.of(job, 1 + random.nextInt(8), 0.001, 0.001 * (1.2 + 6 * random.nextDouble()));
  }

  @Test
  void theAllocatorsDivisionIsWithinFivePercentOfTheBest() {
    SeededRuns.run(
        12,
        random -> {
          List<Reader> readers =
              List.of(
                  importance(1, 8_000_000, speed(random, "a"), random.nextInt(1000)),
                  importance(2, 20_000_000, speed(random, "b"), random.nextInt(1000)),
                  chunks(3, 10_000_000, speed(random, "c")),
                  chunks(4, 30_000_000, speed(random, "d")));
          long capacity = (long) (68_000_000 * (0.1 + 0.6 * random.nextDouble()));
          List<Demand> demands = readers.stream().map(Reader::demand).toList();
          long[] shares =
              new MarginalAllocation()
                  .divide(demands, new CacheBudget(capacity, Map.of()), new long[0]);
          double ours = 0;
          for (int i = 0; i < shares.length; i++) {
            ours += readers.get(i).saved(demands.get(i).steps(shares[i]));
          }
          assertThat(Arrays.stream(shares).sum()).isLessThanOrEqualTo(capacity);
          assertThat(ours).isGreaterThanOrEqualTo(0.95 * best(readers, 0, capacity));
        });
  }

  /** Returns the most GPUs that any division of the bytes among these and later readers saves. */
  private static double best(List<Reader> readers, int from, long left) {
    if (from == readers.size()) {
      return 0;
    }
    Reader reader = readers.get(from);
    double most = 0;
    for (int held = 0; held <= reader.demand().steps(); held++) {
      long bytes = reader.demand().bytes(held);
      if (bytes <= left) {
        most = Math.max(most, reader.saved(held) + best(readers, from + 1, left - bytes));
      }
    }
    return most;
  }
}
