package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.SamplerKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The whole experiment is half a minute of work, so every run has only a part of it. */
class FailureTest {
  /** Two thirds into the second epoch, which ends at 460 s. */
  private static final double LOST = 390;

  private static final double END = 490;

  /**
   * Jobs come upon all that left the cache before they had read it, at the end of the epoch if it
   * is not brought back first: progress is half of before then.
   */
  @Test
  void progressStaysToTheEndOfTheEpochInWhichAServerIsLost() {
    ProgressMeter meter = new ProgressMeter(10);
    Runs runs = new Runs(5);
    runs.add(
        new SharedCluster("a server lost", 8)
            .cache(0.25 * Workload.RESNET.datasetBytes())
            .untilSeconds(END)
            .jobs(Workload.RESNET, 7, Long.MAX_VALUE, 0, SamplerKind.SUBSTITUTE)
            .killServer(LOST, 3)
            .build(5),
        meter);
    runs.run(Runs.Listener.NONE);
    double before = meter.rate(LOST - 50, LOST);
    for (double from = LOST; from < END; from += 10) {
      assertThat(meter.rate(from, from + 10)).as("%s s", from).isGreaterThan(0.9 * before);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "quiver.test.long", matches = "true")
  void jobsGoOnWithSubstitutesWhereOthersStall() {
    List<Failure.Outcome> outcomes = Failure.run(5, Runs.Listener.NONE);
    Failure.Outcome planned = outcomes.getFirst();
    Failure.Outcome plain = outcomes.get(1);
    Failure.Outcome shared = outcomes.get(2);
    assertThat(plain.cache()).isEqualTo("lru");
    assertThat(plain.worst()).isLessThan(0.7 * plain.before());
    assertThat(planned.worst()).isGreaterThan(0.9 * planned.before());
    assertThat(shared.worst()).isGreaterThan(0.9 * shared.before());
    assertThat(planned.storeWorst()).as("what was lost is fetched").isGreaterThan(100e6);
    assertThat(outcomes).allMatch(each -> each.after() > 0.98 * each.before());
  }
}
