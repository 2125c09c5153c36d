package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A manager that has just started finds data on the servers that nobody reads. */
final class NewManagerTest {
  private static final DatasetKey READ = new DatasetKey("00000000000000aa");
  private static final DatasetKey IDLE = new DatasetKey("00000000000000bb");
  private static final int CHUNKS = 10;
  private static final long CHUNK_BYTES = 1_000_000;

  private static List<String> idleSpaces() {
    return IntStream.range(0, CHUNKS).mapToObj(i -> IDLE.space(CHUNKS, i).name()).toList();
  }

  /** Returns the idle spaces that servers keep when a job has sent its first report. */
  private static List<String> kept(long capacity, long read, CachePreferences preferences) {
    Map<String, Long> spaces = new HashMap<>();
    idleSpaces().forEach(name -> spaces.put(name, CHUNK_BYTES));
    ServerReport server = new ServerReport("s", "i", "http://s", capacity, spaces, 0, false);
    JobReport job = JobReport.of("job", "i", READ, 10_000, read, 10).times(0.001, 0).build();
    Planner planner = new Planner(PlannerConfig.DEFAULT);
    Plan plan = Plan.empty(1);
    for (int second = 1; second < 4; second++) {
      long now = second * 1_000_000_000L;
      Observations seen =
          new Observations(
              List.of(new Observed<>(job, now)),
              List.of(new Observed<>(server, now)),
              now,
              preferences);
      plan = planner.next(plan, seen, Long.MAX_VALUE);
    }
    List<String> ordered =
        plan.forServers().spaces().stream().map(SpaceOrder::name).map(Object::toString).toList();
    return idleSpaces().stream()
        .filter(name -> ordered.stream().anyMatch(each -> each.contains(name)))
        .toList();
  }

  @Test
  void idleDataStaysWhenAJobReadsSomethingElse() {
    long capacity = 20 * CHUNK_BYTES;
    assertThat(kept(capacity, 5 * CHUNK_BYTES, CachePreferences.NONE)).hasSize(CHUNKS);
  }

  @Test
  void idleDataGoesWhenItsBytesAreNeeded() {
    long capacity = 11 * CHUNK_BYTES;
    assertThat(kept(capacity, 400 * CHUNK_BYTES, CachePreferences.NONE))
        .hasSizeBetween(0, CHUNKS - 1);
  }

  @Test
  void pinnedDataStaysWhoeverReads() {
    long capacity = 11 * CHUNK_BYTES;
    CachePreferences pinned = CachePreferences.NONE.with(IDLE, CachePreference.PIN);
    assertThat(kept(capacity, 400 * CHUNK_BYTES, pinned)).hasSize(CHUNKS);
    CachePreferences never = CachePreferences.NONE.with(IDLE, CachePreference.NEVER);
    assertThat(kept(20 * CHUNK_BYTES, 5 * CHUNK_BYTES, never)).isEmpty();
  }
}
