package io.quiver.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.order.SamplerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The file under test-vectors/ledger is the format: it may gain company but never change.
 *
 * <p>{@code -Dquiver.test.vectors.write=true} writes it if it is missing.
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

  @Test
  void theGoldenFileIsReadAndWrittenByteForByte() throws IOException {
    Path file = FOLDER.resolve("two-epochs.qlg");
    byte[] encoded = Ledgers.write(HEADER, BATCHES);
    if (Boolean.getBoolean("quiver.test.vectors.write") && !Files.exists(file)) {
      Files.createDirectories(FOLDER);
      Files.write(file, encoded);
      Files.writeString(FOLDER.resolve("two-epochs.json"), json());
    }
    byte[] golden = Files.readAllBytes(file);
    LedgerReader reader = Ledgers.open(golden);
    assertThat(reader.header()).isEqualTo(HEADER);
    assertThat(Ledgers.rest(reader)).isEqualTo(BATCHES);
    assertThat(encoded).isEqualTo(golden);
    assertThat(json()).isEqualTo(Files.readString(FOLDER.resolve("two-epochs.json")));
  }

  private static String json() {
    return "{\"job\": \"%s\", \"dataset\": \"%s\", \"items\": %d, \"seed\": %d, \"sampler\": \"%s\", "
            .formatted(
                HEADER.job(), HEADER.dataset(), HEADER.items(), HEADER.seed(), HEADER.sampler())
        + "\"rank\": %d, \"ranks\": %d, \"batches\": [\n".formatted(HEADER.rank(), HEADER.ranks())
        + BATCHES.stream().map(GoldenLedgerTest::json).collect(Collectors.joining(",\n"))
        + "\n]}\n";
  }

  private static String json(LedgerBatch batch) {
    return "  {\"epoch\": %d, \"step\": %d, \"padding\": %d, \"items\": [%s]}"
        .formatted(
            batch.epoch(),
            batch.step(),
            batch.padding(),
            IntStream.of(batch.items())
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(", ")));
  }
}
