package io.quiver.cli.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A capacity is bytes or a share of what the disks offer, and the default is bounded. */
class CapacityTest {
  @TempDir private Path folder;

  @Test
  void bytesAreTakenAsTheyAre() {
    assertThat(Capacity.parse("20GB").bytes(1)).isEqualTo(20_000_000_000L);
  }

  @Test
  void aShareIsOfWhatTheDisksOffer() {
    assertThat(Capacity.parse("20%").bytes(1_000)).isEqualTo(200);
  }

  @Test
  void theDefaultIsFourFifthsUpToABound() {
    assertThat(Capacity.DEFAULT.bytes(1_000)).isEqualTo(800);
    assertThat(Capacity.DEFAULT.bytes(Long.MAX_VALUE)).isEqualTo(Capacity.DEFAULT_BOUND_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0%", "101%", "-5%", "%", "NaN%", "many"})
  void nonsenseIsRefused(String text) {
    assertThatThrownBy(() -> Capacity.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsAlreadyCachedCountsAsRoom() throws Exception {
    Path held = Files.createDirectory(folder.resolve("server-0"));
    Files.write(held.resolve("segment"), new byte[12_345]);
    Files.write(folder.resolve("lock"), new byte[5]);
    assertThat(Disks.heldBytes(folder)).isEqualTo(12_350);
  }

  @Test
  void directoriesOnOneDiskCountItOnce() throws Exception {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path two = Files.createDirectory(folder.resolve("two"));
    long single = Disks.offeredBytes(List.of(one));
    assertThat(Disks.offeredBytes(List.of(one, two))).isLessThan(single + single / 2);
  }
}
