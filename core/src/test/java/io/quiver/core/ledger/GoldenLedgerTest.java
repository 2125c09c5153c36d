package io.quiver.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.ItemList;
import io.quiver.core.order.SamplerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The files under test-vectors/ledger are the format: they may gain company but never change.
 *
 * <p>{@code -Dquiver.test.vectors.write=true} writes those that are missing.
 */
class GoldenLedgerTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("quiver.test.vectors", "../test-vectors")).resolve("ledger");

  private static final LedgerHeader HEADER =
      new LedgerHeader("größe-7", "00c0ffee", 70_000, -2, SamplerKind.STRICT, 1, 2);

  private static final List<LedgerBatch> BATCHES =
      List.of(
          new LedgerBatch(0, 0, new int[] {0, 127, 128, 16_383, 16_384}, 0),
          new LedgerBatch(0, 1, new int[] {69_999, 5, 0}, 1),
          new LedgerBatch(3, 4_294_967_296L, new int[0], 0));

  private static final LedgerHeader LIST_HEADER =
      new LedgerHeader("shade-größe", "00c0ffee", 70_000, 7, LedgerOrder.LIST, 0, 2);

  private static final List<LedgerList> LISTS =
      List.of(
          LedgerList.whole(0, new ItemList(70_000, new int[] {5, 69_999, 5, 128, 5, 0, 16_384})),
          LedgerList.named(3, new ItemList(70_000, new int[] {1, 1})),
          LedgerList.whole(4, new ItemList(70_000, new int[0])));

  private static final List<LedgerBatch> LIST_BATCHES =
      List.of(
          new LedgerBatch(0, 0, new int[] {5, 5, 5}, 0),
          new LedgerBatch(0, 1, new int[] {16_384, 5}, 1),
          new LedgerBatch(3, 0, new int[] {1}, 0));

  /** Ledgers from before there were lists. */
  @Test
  void theGoldenFileOfVersionOneIsRead() throws IOException {
    LedgerReader reader = Ledgers.open(Files.readAllBytes(FOLDER.resolve("two-epochs.qlg")));
    assertThat(reader.header()).isEqualTo(HEADER);
    assertThat(Ledgers.rest(reader)).isEqualTo(BATCHES);
    assertThat(json(HEADER, List.of(), BATCHES))
        .isEqualTo(Files.readString(FOLDER.resolve("two-epochs.json")));
  }

  @Test
  void theGoldenEpochsAreReadAndWrittenByteForByte() throws IOException {
    requireGolden("epochs-v2", HEADER, List.of(), BATCHES);
  }

  @Test
  void theGoldenListsAreReadAndWrittenByteForByte() throws IOException {
    requireGolden("lists-v2", LIST_HEADER, LISTS, LIST_BATCHES);
  }

  private static void requireGolden(
      String name, LedgerHeader header, List<LedgerList> lists, List<LedgerBatch> batches)
      throws IOException {
    Path file = FOLDER.resolve(name + ".qlg");
    byte[] encoded = Ledgers.write(header, lists, batches);
    if (Boolean.getBoolean("quiver.test.vectors.write") && !Files.exists(file)) {
      Files.createDirectories(FOLDER);
      Files.write(file, encoded);
      Files.writeString(FOLDER.resolve(name + ".json"), json(header, lists, batches));
    }
    byte[] golden = Files.readAllBytes(file);
    LedgerReader reader = Ledgers.open(golden);
    List<LedgerList> readLists = new ArrayList<>();
    List<LedgerBatch> readBatches = new ArrayList<>();
    Optional<LedgerBatch> batch = reader.next();
    while (batch.isPresent()) {
      readBatches.add(batch.get());
      reader.list().filter(list -> !readLists.contains(list)).ifPresent(readLists::add);
      batch = reader.next();
    }
    reader.list().filter(list -> !readLists.contains(list)).ifPresent(readLists::add);
    assertThat(reader.header()).isEqualTo(header);
    assertThat(readLists).isEqualTo(lists);
    assertThat(readBatches).isEqualTo(batches);
    assertThat(encoded).isEqualTo(golden);
    assertThat(json(header, lists, batches))
        .isEqualTo(Files.readString(FOLDER.resolve(name + ".json")));
  }

  private static String json(
      LedgerHeader header, List<LedgerList> lists, List<LedgerBatch> batches) {
    return "{\"job\": \"%s\", \"dataset\": \"%s\", \"items\": %d, \"seed\": %d, \"sampler\": \"%s\", "
            .formatted(
                header.job(),
                header.dataset(),
                header.items(),
                header.seed(),
                header.order().text())
        + "\"rank\": %d, \"ranks\": %d, ".formatted(header.rank(), header.ranks())
        + (lists.isEmpty()
            ? ""
            : "\"lists\": [\n"
                + lists.stream().map(GoldenLedgerTest::json).collect(Collectors.joining(",\n"))
                + "\n], ")
        + "\"batches\": [\n"
        + batches.stream().map(GoldenLedgerTest::json).collect(Collectors.joining(",\n"))
        + "\n]}\n";
  }

  private static String json(LedgerList list) {
    return "  {\"epoch\": %d, \"size\": %d, \"sha256\": \"%s\", \"entries\": %s}"
        .formatted(
            list.epoch(),
            list.size(),
            list.sha256(),
            list.list().map(each -> Arrays.toString(each.entries())).orElse("null"));
  }

  private static String json(LedgerBatch batch) {
    return "  {\"epoch\": %d, \"step\": %d, \"padding\": %d, \"items\": %s}"
        .formatted(batch.epoch(), batch.step(), batch.padding(), Arrays.toString(batch.items()));
  }
}
