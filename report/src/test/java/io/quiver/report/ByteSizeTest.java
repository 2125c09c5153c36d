package io.quiver.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes are read as people write them and shown as people read them. */
class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "17, 17",
    "1B, 1",
    "200GB, 200000000000",
    "1.5TiB, 1649267441664",
    "64k, 65536",
    "1 MiB, 1048576",
    "3mb, 3000000",
  })
  void readsSizes(String text, long bytes) {
    assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GB", "-1", "1.GB", "1,5GB", "10XB", "1e3", "99999999999999999TB"})
  void refusesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteSize.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1000, 1.00 kB",
    "1234567, 1.23 MB",
    "99950000, 100 MB",
    "999499, 999 kB",
    "999500, 1.00 MB",
    "9223372036854775807, 9.22 EB",
  })
  void showsThreeDigits(long bytes, String text) {
    assertThat(ByteSize.show(bytes)).isEqualTo(text);
  }

  @Test
  void showsTimeInAtMostTwoUnits() {
    assertThat(TimeSpan.show(59.4)).isEqualTo("59 s");
    assertThat(TimeSpan.show(185)).isEqualTo("3 min 5 s");
    assertThat(TimeSpan.show(7800)).isEqualTo("2 h 10 min");
  }

  @Test
  void readsTime() {
    assertThat(TimeSpan.parse("500ms").toMillis()).isEqualTo(500);
    assertThat(TimeSpan.parse("5m").toSeconds()).isEqualTo(300);
    assertThatThrownBy(() -> TimeSpan.parse("5")).hasMessageContaining("\"5\"");
  }
}
