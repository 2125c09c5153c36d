package io.quiver.core.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class DatasetDigestTest {

  @RepeatedTest(50)
  void whatWasWrittenIsRead(RepetitionInfo repetition) {
    long seed = Long.getLong("quiver.test.seed", 77) + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    List<DigestItem> items = randomItems(random);
    DigestEncoder encoder = new DigestEncoder().metadata("seed", Long.toString(seed));
    items.forEach(encoder::add);
    DatasetDigest digest = DatasetDigest.open(encoder.encode());
    digest.verify();
    assertThat(digest.itemCount()).as("seed %d", seed).isEqualTo(items.size());
    for (int i = 0; i < items.size(); i++) {
      assertThat(digest.item(i)).as("seed %d, item %d", seed, i).isEqualTo(items.get(i));
    }
    assertThat(digest.totalBytes()).isEqualTo(items.stream().mapToLong(DigestItem::size).sum());
    assertThat(digest.metadata()).containsEntry("seed", Long.toString(seed));
  }

  @Test
  void identityIsTheHashOfTheOrderedHashes() {
    DigestItem first = DigestItem.whole(hash("1"), 1, "a");
    DigestItem second = DigestItem.whole(hash("2"), 1, "b");
    ByteBuffer column = ByteBuffer.allocate(64);
    first.hash().write(column, 0);
    second.hash().write(column, 32);
    ContentHash expected = ContentHash.ofContent(column);
    assertThat(digest(first, second).identity()).isEqualTo(expected);
    assertThat(digest(second, first).identity()).isNotEqualTo(expected);
    DigestItem elsewhere = new DigestItem(hash("1"), 1, "z.tar", 512, "m", 3, 4);
    assertThat(digest(elsewhere, second).identity()).isEqualTo(expected);
  }

  @Test
  void itemsOutsideTheDataSetAreRefused() {
    DatasetDigest digest = digest(DigestItem.whole(hash("1"), 1, "a"));
    for (int index : new int[] {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> digest.hash(index)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> digest.label(index)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> digest.itemName(index))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void emptyDataSetIsADigestLikeAnyOther() {
    DatasetDigest digest = digest();
    digest.verify();
    assertThat(digest.itemCount()).isZero();
    assertThat(digest.identity()).isEqualTo(ContentHash.ofContent(new byte[0]));
  }

  @Test
  void foreignFilesAreToldFromDamagedOnes() {
    byte[] foreign = "PK\003\004 this is a zip file, believe me".repeat(10).getBytes(UTF_8);
    assertThatThrownBy(() -> DatasetDigest.open(foreign))
        .isInstanceOf(DigestFormatException.class)
        .hasMessageContaining("no digest")
        .hasMessageContaining("504b0304");
  }

  @Test
  void laterVersionsAreRefusedByName() {
    byte[] file = new DigestEncoder().encode();
    file[DigestHeader.VERSION_AT] = 9;
    assertThatThrownBy(() -> DatasetDigest.open(file))
        .isInstanceOf(DigestFormatException.class)
        .hasMessageContaining("version 9")
        .hasMessageContaining("newer quiver");
  }

  @Test
  void namesTooLongForADigestAreRefusedWhenWritten() {
    DigestEncoder encoder =
        new DigestEncoder().add(DigestItem.whole(hash("1"), 1, "x".repeat(70_000)));
    assertThatThrownBy(encoder::encode)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("70000 bytes");
  }

  private static DatasetDigest digest(DigestItem... items) {
    DigestEncoder encoder = new DigestEncoder();
    for (DigestItem item : items) {
      encoder.add(item);
    }
    return DatasetDigest.open(encoder.encode());
  }

  private static ContentHash hash(String content) {
    return ContentHash.ofContent(content.getBytes(UTF_8));
  }

  private static List<DigestItem> randomItems(Random random) {
    int count = random.nextInt(300);
    boolean labels = random.nextBoolean();
    boolean names = random.nextBoolean();
    List<DigestItem> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(
          new DigestItem(
              hash("content " + random.nextInt(100)),
              random.nextLong(1L << 40),
              randomName(random),
              random.nextLong(1L << 50),
              names ? randomName(random) : "",
              labels ? random.nextInt(-1, 1000) : DigestItem.NONE,
              labels ? random.nextInt(-1, 1000) : DigestItem.NONE));
    }
    return items;
  }

  private static String randomName(Random random) {
    StringBuilder name = new StringBuilder();
    for (int length = 1 + random.nextInt(20); length > 0; length--) {
      int codePoint = random.nextInt(4) == 0 ? random.nextInt(0x10FFFF) : 'a' + random.nextInt(26);
      boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
      name.appendCodePoint(surrogate ? '/' : codePoint);
    }
    return name.toString();
  }
}
