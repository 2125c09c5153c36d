package io.quiver.core.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to a digest's bytes, it is found, and nothing worse than a complaint happens.
 */
class DigestDamageTest {

  @Test
  void cutAtEveryPositionIsRefusedOnOpening() {
    for (Map.Entry<String, DigestEncoder> golden : GoldenDigests.all().entrySet()) {
      byte[] file = golden.getValue().encode();
      for (int length = 0; length < file.length; length++) {
        byte[] cut = Arrays.copyOf(file, length);
        assertThatThrownBy(() -> DatasetDigest.open(cut))
            .as("%s cut to %d bytes", golden.getKey(), length)
            .isInstanceOf(DigestFormatException.class)
            .hasMessageContaining("byte ");
      }
    }
  }

  @Test
  void bytesAfterTheEndAreRefused() {
    byte[] file = GoldenDigests.labels().encode();
    for (int extra = 1; extra <= 9; extra++) {
      byte[] longer = Arrays.copyOf(file, file.length + extra);
      assertThatThrownBy(() -> DatasetDigest.open(longer))
          .isInstanceOf(DigestFormatException.class)
          .hasMessageContaining(file.length + extra + " bytes");
    }
  }

  @Test
  void everySingleFlippedBitIsFound() {
    for (Map.Entry<String, DigestEncoder> golden : GoldenDigests.all().entrySet()) {
      byte[] file = golden.getValue().encode();
      for (int bit = 0; bit < 8 * file.length; bit++) {
        file[bit / 8] ^= (byte) (1 << bit % 8);
        if (!found(file)) {
          fail(golden.getKey() + ": nobody noticed bit " + bit);
        }
        file[bit / 8] ^= (byte) (1 << bit % 8);
      }
      assertThat(found(file)).as(golden.getKey()).isFalse();
    }
  }

  @Test
  void everyReplacedByteIsFound() {
    byte[] file = GoldenDigests.tarMembers().encode();
    for (int at = 0; at < file.length; at++) {
      byte right = file[at];
      for (int value : new int[] {0x00, 0xFF, 0x7F, 0x80}) {
        file[at] = (byte) value;
        assertThat(found(file)).as("byte %d as %x", at, value).isEqualTo(right != (byte) value);
      }
      file[at] = right;
    }
  }

  @Test
  void headersWithNonsenseAndARightCrcCauseNothingWorseThanAComplaint() {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    int rounds = Boolean.getBoolean("quiver.test.long") ? 2_000_000 : 20_000;
    Random random = new Random(seed);
    byte[][] files =
        GoldenDigests.all().values().stream().map(DigestEncoder::encode).toArray(byte[][]::new);
    for (int round = 0; round < rounds; round++) {
      byte[] file = files[random.nextInt(files.length)].clone();
      mutate(file, random);
      try {
        found(file);
      } catch (RuntimeException | Error e) {
        fail("seed " + seed + ", round " + round, e);
      }
    }
  }

  /** Overwrites some fields, mostly of the header, with values on the edge; mends the CRC. */
  private static void mutate(byte[] file, Random random) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    long[] edges = {0, 1, -1, 7, 8, 255, file.length, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 31};
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = 8 * random.nextInt(file.length / 8);
      long edge = edges[random.nextInt(edges.length)];
      long value = random.nextBoolean() ? edge : bytes.getLong(at) + edge;
      bytes.putLong(at, random.nextInt(8) == 0 ? random.nextLong() : value);
    }
    int count = bytes.getInt(DigestHeader.SECTION_COUNT_AT);
    int length = DigestHeader.length(Math.clamp(count, 0, DigestHeader.MAX_SECTIONS));
    CRC32 crc = new CRC32();
    bytes.putInt(DigestHeader.CRC_AT, 0);
    crc.update(file, 0, Math.min(length, file.length));
    bytes.putInt(DigestHeader.CRC_AT, (int) crc.getValue());
  }

  /** Opens, reads everything, verifies: true if any of it complained. */
  private static boolean found(byte[] file) {
    DatasetDigest digest;
    try {
      digest = DatasetDigest.open(file);
    } catch (DigestFormatException e) {
      return true;
    }
    for (int i = 0; i < Math.min(digest.itemCount(), 10); i++) {
      try {
        digest.item(i);
      } catch (DigestFormatException e) {
        assertThat(e).hasMessageContaining("byte ");
      }
    }
    try {
      digest.classNames();
      digest.metadata();
      digest.verify();
      return false;
    } catch (DigestFormatException e) {
      return true;
    }
  }
}
