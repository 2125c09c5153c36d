package io.quiver.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.order.ItemList;
import io.quiver.core.order.SamplerKind;
import io.quiver.testkit.SeededRuns;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Checks that ledgers are read as written, and that torn and damaged parts are noticed. */
class LedgerFileTest {
  private static final List<LedgerBatch> SMALL =
      List.of(
          Ledgers.batch(0, 0, 5, 300, 7),
          new LedgerBatch(0, 1, new int[] {70_000, 1, 5}, 1),
          Ledgers.batch(1, 0));

  @Test
  void whatIsWrittenIsReadAgain() {
    SeededRuns.run(
        50,
        random -> {
          LedgerHeader header =
              new LedgerHeader(
                  "j".repeat(1 + random.nextInt(LedgerHeader.MAX_JOB_BYTES)),
                  String.format("%08x", random.nextInt()),
                  1 + random.nextInt(Integer.MAX_VALUE),
                  random.nextLong(),
                  List.of(SamplerKind.values()).get(random.nextInt(3)),
                  random.nextInt(8),
                  8);
          List<LedgerBatch> batches = randomBatches(header.items(), random);
          LedgerReader reader = Ledgers.open(Ledgers.write(header, batches));
          assertThat(reader.header()).isEqualTo(header);
          assertThat(Ledgers.rest(reader)).isEqualTo(batches);
          assertThat(reader.tornAt()).isEmpty();
        });
  }

  private static List<LedgerBatch> randomBatches(int items, Random random) {
    List<LedgerBatch> batches = new ArrayList<>();
    int epoch = 0;
    for (int i = random.nextInt(20); i > 0; i--) {
      epoch += random.nextInt(2);
      int[] named = random.ints(random.nextInt(300), 0, items).toArray();
      batches.add(
          new LedgerBatch(epoch, random.nextLong() >>> 1, named, random.nextInt(named.length + 1)));
    }
    return batches;
  }

  @Test
  void aCutAtAnyByteOfTheBatchesIsATornTail() throws Exception {
    LedgerHeader header = Ledgers.header(100_000, 0, 1);
    byte[] whole = Ledgers.write(header, SMALL);
    for (int kept = 0; kept < SMALL.size(); kept++) {
      List<LedgerBatch> before = SMALL.subList(0, kept);
      int start = Ledgers.write(header, before).length;
      int end = Ledgers.write(header, SMALL.subList(0, kept + 1)).length;
      for (int length = start; length < end; length++) {
        LedgerReader reader = Ledgers.open(Arrays.copyOf(whole, length));
        assertThat(Ledgers.rest(reader)).as("cut at %s", length).isEqualTo(before);
        assertThat(reader.tornAt())
            .isEqualTo(length == start ? OptionalLong.empty() : OptionalLong.of(start));
      }
    }
  }

  @Test
  void listsOfAnyLengthAreReadAgainAndTornOnesAreNoLists() throws Exception {
    int[] entries = new Random(3).ints(LedgerFormat.MAX_BATCH + 7, 0, 100_000).toArray();
    ItemList list = new ItemList(100_000, entries);
    LedgerHeader header = Ledgers.listHeader(100_000, 0, 1);
    byte[] whole =
        Ledgers.write(header, List.of(LedgerList.whole(2, list)), List.of(Ledgers.batch(2, 0, 5)));
    LedgerReader reader = Ledgers.open(whole);
    assertThat(Ledgers.rest(reader)).hasSize(1);
    assertThat(reader.list()).contains(LedgerList.whole(2, list));

    int batchBytes = LedgerFormat.encode(Ledgers.batch(2, 0, 5)).length;
    LedgerReader torn = Ledgers.open(Arrays.copyOf(whole, whole.length - batchBytes - 1));
    assertThat(Ledgers.rest(torn)).isEmpty();
    assertThat(torn.list()).contains(LedgerList.named(2, list));
    assertThat(torn.tornAt()).isPresent();
  }

  @Test
  void batchesWithoutAListAndListsWithoutAnOrderAreRefused() throws Exception {
    ItemList list = new ItemList(10, new int[] {1, 1});
    try (LedgerWriter writer =
        new LedgerWriter(new ByteArrayOutputStream(), Ledgers.listHeader(10, 0, 1))) {
      assertThatThrownBy(() -> writer.append(Ledgers.batch(0, 0, 1)))
          .hasMessageContaining("before its list");
      writer.append(LedgerList.whole(1, list));
      assertThatThrownBy(() -> writer.append(LedgerList.whole(1, list)))
          .hasMessageContaining("too late");
      assertThatThrownBy(() -> writer.append(Ledgers.batch(2, 0, 1)))
          .hasMessageContaining("before its list");
    }
    try (LedgerWriter writer =
        new LedgerWriter(new ByteArrayOutputStream(), Ledgers.header(10, 0, 1))) {
      assertThatThrownBy(() -> writer.append(LedgerList.whole(1, list)))
          .hasMessageContaining("order is substitute");
    }
  }

  @Test
  void aCutWithinTheHeaderIsRefused() throws Exception {
    byte[] header = Ledgers.write(Ledgers.header(10, 0, 1), List.of());
    for (int length = 0; length < header.length; length++) {
      byte[] cut = Arrays.copyOf(header, length);
      assertThatThrownBy(() -> Ledgers.open(cut))
          .isInstanceOf(LedgerFormatException.class)
          .hasMessageContaining("ends within the header");
    }
  }

  @Test
  void noChangedBitEverPassesForAWholeLedger() throws Exception {
    byte[] whole = Ledgers.write(Ledgers.header(100_000, 0, 1), SMALL);
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(noticed(damaged)).as("bit %s", bit).isTrue();
    }
  }

  private static boolean noticed(byte[] bytes) throws Exception {
    try {
      LedgerReader reader = Ledgers.open(bytes);
      Ledgers.rest(reader);
      return reader.tornAt().isPresent();
    } catch (LedgerFormatException e) {
      return true;
    }
  }

  @Test
  void damageInTheMiddleIsNoTornTail() throws Exception {
    byte[] whole = Ledgers.write(Ledgers.header(100_000, 0, 1), SMALL);
    int headerBytes = Ledgers.write(Ledgers.header(100_000, 0, 1), List.of()).length;
    whole[headerBytes + 10] ^= 1;
    LedgerReader reader = Ledgers.open(whole);
    assertThatThrownBy(() -> reader.next())
        .isInstanceOf(LedgerFormatException.class)
        .hasMessageContaining("byte " + headerBytes)
        .hasMessageContaining("checksum");
  }

  @Test
  void randomBytesAreRefusedAndNeverTrusted() {
    SeededRuns.run(
        200,
        random -> {
          byte[] bytes = Ledgers.write(Ledgers.header(1000, 0, 1), List.of());
          byte[] noise = new byte[random.nextInt(200)];
          random.nextBytes(noise);
          byte[] file = Arrays.copyOf(bytes, bytes.length + noise.length);
          System.arraycopy(noise, 0, file, bytes.length, noise.length);
          assertThat(noise.length == 0 || noticed(file)).isTrue();
        });
  }

  @Test
  void theWriterRefusesWhatMakesNoSense() throws Exception {
    try (LedgerWriter writer =
        new LedgerWriter(new ByteArrayOutputStream(), Ledgers.header(10, 0, 1))) {
      writer.append(Ledgers.batch(3, 0, 1));
      assertThatThrownBy(() -> writer.append(Ledgers.batch(2, 0, 1)))
          .hasMessageContaining("epoch 2 after epoch 3");
      assertThatThrownBy(() -> writer.append(Ledgers.batch(3, 0, 10)))
          .hasMessageContaining("item 10 of 10");
    }
    assertThatThrownBy(() -> new LedgerHeader("", "0123abcd", 1, 0, SamplerKind.STRICT, 0, 1))
        .hasMessageContaining("1 to 255 bytes");
    assertThatThrownBy(() -> new LedgerHeader("x", "ab".repeat(32), 1, 0, SamplerKind.STRICT, 0, 1))
        .hasMessageContaining("first 8")
        .hasMessageNotContaining("abab");
  }

  @Test
  void anIndexTakesThreeBytesInAMillionItems() throws Exception {
    int[] items = new Random(1).ints(100_000, 0, 1_281_167).toArray();
    int bytes =
        Ledgers.write(Ledgers.header(1_281_167, 0, 1), List.of(new LedgerBatch(0, 0, items, 0)))
            .length;
    assertThat((double) bytes / items.length).isLessThan(3.01);
  }
}
