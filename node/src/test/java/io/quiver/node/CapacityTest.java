package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default capacity is bounded, and disks offer what is free and what they hold. */
class CapacityTest {
  @TempDir private Path folder;

  @Test
  void theDefaultIsFourFifthsUpToABound() {
    assertThat(Capacity.DEFAULT.bytes(1_000)).isEqualTo(800);
    assertThat(Capacity.DEFAULT.bytes(Long.MAX_VALUE)).isEqualTo(Capacity.DEFAULT_BOUND_BYTES);
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
