package io.quiver.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Half a minute of work, so not in every run. */
@EnabledIfSystemProperty(named = "quiver.test.long", matches = "true")
class FailureTest {
  @Test
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
