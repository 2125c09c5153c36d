package io.quiver.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A capacity is written as bytes or as a share of what the disks offer. */
class CapacityConverterTest {
  @Test
  void bytesAreTakenAsTheyAre() {
    assertThat(CapacityConverter.parse("20GB").bytes(1)).isEqualTo(20_000_000_000L);
  }

  @Test
  void aShareIsOfWhatTheDisksOffer() {
    assertThat(CapacityConverter.parse("20%").bytes(1_000)).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0%", "101%", "-5%", "%", "NaN%", "many"})
  void nonsenseIsRefused(String text) {
    assertThatThrownBy(() -> CapacityConverter.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
