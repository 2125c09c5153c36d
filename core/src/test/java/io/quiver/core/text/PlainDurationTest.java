package io.quiver.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlainDurationTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 ms",
    "PT0.000001S, 1 ms",
    "PT0.1S, 100 ms",
    "PT0.999S, 999 ms",
    "PT1S, 1 s",
    "PT3.502508416S, 3 s",
    "PT1M59S, 119 s",
    "PT2M, 2 min",
    "PT1H30M, 90 min"
  })
  void saysADurationAsPeopleDo(Duration duration, String words) {
    assertThat(PlainDuration.of(duration)).isEqualTo(words);
  }
}
