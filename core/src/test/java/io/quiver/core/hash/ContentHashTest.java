package io.quiver.core.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quiver.testkit.SeededRuns;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Hashes against published vectors and against their own bytes. */
final class ContentHashTest {
  private static final String EMPTY =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void hashesContentAsSha256Does() {
    assertThat(ContentHash.ofContent(new byte[0]).toHex()).isEqualTo(EMPTY);
    assertThat(ContentHash.ofContent("abc".getBytes(StandardCharsets.US_ASCII)).toHex())
        .isEqualTo(ABC);
  }

  @Test
  void hashingABufferLeavesItsPositionAlone() {
    ByteBuffer buffer = ByteBuffer.wrap("xabcx".getBytes(StandardCharsets.US_ASCII));
    buffer.position(1).limit(4);
    assertThat(ContentHash.ofContent(buffer).toHex()).isEqualTo(ABC);
    assertThat(buffer.position()).isEqualTo(1);
    assertThat(buffer.limit()).isEqualTo(4);
  }

  @Test
  void survivesEveryWayOfWritingAndReading() {
    SeededRuns.run(
        100,
        random -> {
          byte[] bytes = new byte[ContentHash.BYTES];
          random.nextBytes(bytes);
          ContentHash hash = ContentHash.of(bytes);
          assertThat(hash.toBytes()).isEqualTo(bytes);
          assertThat(ContentHash.fromHex(hash.toHex())).isEqualTo(hash);
          assertThat(ContentHash.fromHex(hash.toHex().toUpperCase(Locale.ROOT))).isEqualTo(hash);
          for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer buffer = ByteBuffer.allocate(50).order(order);
            hash.write(buffer, 7);
            assertThat(ContentHash.read(buffer, 7)).isEqualTo(hash).hasSameHashCodeAs(hash);
            byte[] written = new byte[ContentHash.BYTES];
            buffer.get(7, written);
            assertThat(written).isEqualTo(bytes);
            assertThat(buffer.position()).isZero();
          }
        });
  }

  @Test
  void differsWhenAnyBitDiffers() {
    byte[] bytes = new byte[ContentHash.BYTES];
    ContentHash zero = ContentHash.of(bytes);
    for (int bit = 0; bit < 8 * ContentHash.BYTES; bit++) {
      bytes[bit / 8] = (byte) (1 << bit % 8);
      assertThat(ContentHash.of(bytes)).isNotEqualTo(zero);
      bytes[bit / 8] = 0;
    }
    assertThat(zero).isNotEqualTo("a string");
  }

  @Test
  void slotIsTheFirstSixteenBits() {
    assertThat(ContentHash.fromHex(ABC).slot()).isEqualTo(0xba78);
    assertThat(ContentHash.fromHex(ABC).prefix()).isEqualTo(0xba7816bf8f01cfeaL);
    assertThat(ContentHash.fromHex(ABC).suffix()).isEqualTo(0x414140de5dae2223L);
    assertThat(ContentHash.fromHex("ffff" + ABC.substring(4)).slot()).isEqualTo(65_535);
  }

  @Test
  void showsOnlyItsFirstEightDigits() {
    assertThat(ContentHash.fromHex(ABC)).hasToString("ba7816bf…");
  }

  @Test
  void refusesWhatIsNotAHashWithoutRepeatingIt() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentHash.fromHex("abc"))
        .withMessageContaining("64 hexadecimal digits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentHash.fromHex("g" + ABC.substring(1)))
        .withMessageContaining("hexadecimal")
        .withMessageNotContaining(ABC.substring(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentHash.of(HexFormat.of().parseHex("abcd")))
        .withMessageContaining("32 bytes");
  }

  @Test
  void aFingerprintTellsTheSlot() {
    SeededRuns.run(
        100,
        random -> {
          byte[] bytes = new byte[ContentHash.BYTES];
          random.nextBytes(bytes);
          ContentHash hash = ContentHash.of(bytes);
          long fingerprint = hash.fingerprint();
          assertThat(ContentHash.slotOf(fingerprint)).isEqualTo(hash.slot());
          assertThat(fingerprint & 0xc0).as("bits that stores use for marks").isZero();
          bytes[8] ^= 1;
          assertThat(ContentHash.of(bytes).fingerprint()).isNotEqualTo(fingerprint);
        });
  }
}
