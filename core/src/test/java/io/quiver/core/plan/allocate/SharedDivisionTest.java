package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.importance.ImportanceLists.Setup;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.importance.ListCurve;
import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.Ranked;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.KeeperMeter;
import io.quiver.core.plan.stream.ObservedStream;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.plan.stream.StreamTenants;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.Recognition.Evidence;
import io.quiver.core.stream.StreamSummary;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Jobs that read by importance, jobs that read chunks, and streams of programs that say nothing of
 * themselves under one capacity: no division of it is much better than the allocator's.
 */
class SharedDivisionTest {
  private static final int ITEMS = 4_000;
  private static final int CHUNKS = 20;
  private static final int EPOCHS = 5;
  private static final int BLOCK = 20_000;

  /**
   * A job: the time of an item with each number of steps held, as replayed rather than foreseen.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Reader(Demand demand, JobSpeed speed, double[] unread, double[] most) {
    Reader(Demand demand, JobSpeed speed, double[] unread) {
      this(demand, speed, unread, new double[unread.length]);
      for (int held = 0; held < most.length; held++) {
        most[held] = Math.max(held == 0 ? 0 : most[held - 1], saved(held));
      }
    }

    double saved(int held) {
      return speed.gpusSaved(speed.itemSeconds(unread[held], speed.missSeconds()));
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

  /**
   * A stream over so many blocks, which has been read for a while with a part of them kept. Its
   * demand follows from what a door and the keeper on a server tell; replays tell the truth.
   */
  private static Reader stream(AccessPattern pattern, int blocks, double skew, Random random) {
    long bytes = (long) blocks * BLOCK;
    long quota = bytes / 4;
    KeeperKind kind = pattern == AccessPattern.RANDOM ? KeeperKind.UNIFORM : KeeperKind.FIFO3;
    int[] trace = trace(blocks, skew, random);
    Keeper keeper = kind.keeper(quota);
    final double hit = hits(keeper, trace);
    KeeperMeter meter = new KeeperMeter(kind.keeper(quota).report(), 0);
    String key = String.format(Locale.ROOT, "%032x", blocks);
    StreamSummary summary =
        new StreamSummary(
            key,
            "s3://b/" + key,
            new Recognition(pattern, Evidence.REPEATS, 1, 0, 100),
            10,
            blocks,
            bytes,
            1,
            4 + 26 * random.nextDouble(),
            1 - hit,
            0.001,
            0.030,
            0,
            80,
            20,
            0,
            0,
            0,
            null);
    StreamOrder order = new StreamOrder(key, pattern, pattern, 0, kind, quota, quota, null);
    StreamTenants tenants =
        new StreamTenants(
            new StreamTenants.Past(
                new TreeMap<>(Map.of(key, order)),
                Map.of(),
                any -> meter.count(keeper.report(), 1)),
            List.of(new ObservedStream(summary, List.of(new ObservedStream.Reader("d", "", "")))),
            CachePreferences.NONE,
            any -> false,
            1);
    Demand demand =
        tenants.claimants(0, any -> Allocator.Share.NOTHING, users -> "").getFirst().demand();
    double[] replayed = new double[demand.steps() + 1];
    for (int held = 0; held <= demand.steps(); held++) {
      long kept = (long) (demand.bytes(held) * kind.filledShare());
      replayed[held] = 1 - hits(kind.keeper(kept), trace);
    }
    return new Reader(demand, demand.jobs().getFirst(), replayed);
  }

  /** Draws blocks whose popularity falls by a power of their rank; none falls with 0. */
  private static int[] trace(int blocks, double skew, Random random) {
    double[] sums = new double[blocks];
    double sum = 0;
    for (int i = 0; i < blocks; i++) {
      sum += Math.pow(i + 1, -skew);
      sums[i] = sum;
    }
    int[] trace = new int[30 * blocks];
    for (int i = 0; i < trace.length; i++) {
      int at = Arrays.binarySearch(sums, random.nextDouble() * sum);
      trace[i] = Math.min(blocks - 1, at < 0 ? -1 - at : at);
    }
    return trace;
  }

  /** Reads a trace through a keeper; returns the share of hits in its second half. */
  private static double hits(Keeper keeper, int[] trace) {
    int hits = 0;
    for (int i = 0; i < trace.length; i++) {
      if (keeper.holds(1 + trace[i])) {
        keeper.touch(1 + trace[i]);
        hits += i >= trace.length / 2 ? 1 : 0;
      } else {
        keeper.offer(1 + trace[i], BLOCK, 0, victim -> {});
      }
    }
    return (double) hits / (trace.length - trace.length / 2);
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
          assertThat(shareOfBest(readers, random)).isGreaterThanOrEqualTo(0.95);
        });
  }

  @Test
  void withStreamsTheMeanDivisionIsWithinFivePercentOfTheBest() {
    List<Double> shares = new ArrayList<>();
    SeededRuns.run(
        12,
        random -> {
          List<Reader> readers =
              List.of(
                  importance(1, 8_000_000, oneGpu(random, "a"), random.nextInt(1000)),
                  chunks(2, 20_000_000, oneGpu(random, "b")),
                  chunks(3, 10_000_000, oneGpu(random, "c")),
                  stream(AccessPattern.RANDOM, 300 + random.nextInt(300), 0, random),
                  stream(
                      AccessPattern.SKEWED,
                      700 + random.nextInt(300),
                      0.8 + 0.4 * random.nextDouble(),
                      random));
          shares.add(shareOfBest(readers, random));
          // Ghosts are samples: a single division may be worse.
          assertThat(shares.getLast()).isGreaterThanOrEqualTo(0.85);
        });
    assertThat(shares.stream().mapToDouble(each -> each).average().orElseThrow())
        .as("%s", shares)
        .isGreaterThanOrEqualTo(0.95);
  }

  /** Returns the speed of a job that is no larger than a program behind a door counts. */
  private static JobSpeed oneGpu(Random random, String job) {
    return JobSpeed.of(job, 1, 0.001, 0.001 * (1.2 + 2 * random.nextDouble()));
  }

  /** Returns the GPUs that the allocator's division saves, as a share of the best division's. */
  private static double shareOfBest(List<Reader> readers, Random random) {
    List<Demand> demands = readers.stream().map(Reader::demand).toList();
    long all = demands.stream().mapToLong(Demand::bytes).sum();
    long capacity = (long) (all * (0.1 + 0.6 * random.nextDouble()));
    long[] shares =
        new MarginalAllocation().divide(demands, new CacheBudget(capacity, Map.of()), new long[0]);
    double ours = 0;
    for (int i = 0; i < shares.length; i++) {
      ours += readers.get(i).saved(demands.get(i).steps(shares[i]));
    }
    assertThat(Arrays.stream(shares).sum()).isLessThanOrEqualTo(capacity);
    return ours / best(readers, 0, capacity);
  }

  /** Returns the most GPUs that any division of the bytes among these and later readers saves. */
  private static double best(List<Reader> readers, int from, long left) {
    if (from == readers.size()) {
      return 0;
    }
    Reader reader = readers.get(from);
    if (from == readers.size() - 1) {
      int held = Math.min(reader.demand().steps(), reader.demand().steps(left));
      return reader.most[held];
    }
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
