package io.quiver.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NamedCountersTest {
  private final AtomicLong now = new AtomicLong(-3);
  private final NamedCounters counters = new NamedCounters("job", 3, now::getAndIncrement);

  @Test
  void theOneNobodyCountedForTheLongestGoes() {
    count("a");
    count("b");
    count("c");
    count("a");
    count("d");
    assertThat(text())
        .contains("quiver_job_hits_total{job=\"a\"} 2\n")
        .contains("quiver_job_hits_total{job=\"c\"} 1\n")
        .contains("quiver_job_hits_total{job=\"d\"} 1\n")
        .doesNotContain("\"b\"");
    count("b");
    assertThat(text()).contains("quiver_job_hits_total{job=\"b\"} 1\n").doesNotContain("\"c\"");
    assertThat(counters.documents()).hasSize(3);
  }

  @Test
  void namesThatNoLabelMayHaveAreWrittenOtherwise() {
    count("a\"} 7\nquiver_x{b=\"\\");
    count("team@lab:/run-1.2+x");
    assertThat(text())
        .contains("{job=\"a___7_quiver_x_b___\"} 1\n")
        .contains("{job=\"team@lab:/run-1.2+x\"} 1\n");
  }

  @Test
  void whatWasNeverCountedIsLeftOut() {
    count("a");
    assertThat(text()).doesNotContain("quiver_job_misses_total{");
  }

  private void count(String name) {
    counters.of(name).add(ServerCounter.HITS, 1);
  }

  private String text() {
    MetricText text = new MetricText();
    counters.write(text);
    return text.toString();
  }
}
