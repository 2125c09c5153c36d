package io.quiver.cli.demo.run;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.ledger.EpochReport;
import io.quiver.core.ledger.LedgerBatch;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.core.ledger.LedgerVerifier;
import io.quiver.core.ledger.LedgerWriter;
import io.quiver.core.sampling.SamplerKind;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The ledger a job writes while it runs, and what it proves afterwards. */
final class JobLedger implements AutoCloseable {
  private final LedgerWriter writer;
  private int epoch = -1;
  private long step;

  JobLedger(Path file, String job, DatasetDigest digest, long seed, SamplerKind sampler)
      throws IOException {
    String dataset = digest.identity().toHex().substring(0, 8);
    this.writer =
        new LedgerWriter(
            new BufferedOutputStream(Files.newOutputStream(file)),
            new LedgerHeader(job, dataset, digest.itemCount(), seed, sampler, 0, 1));
  }

  /** Notes a batch that was delivered. */
  void delivered(int inEpoch, int[] items) throws IOException {
    step = inEpoch == epoch ? step + 1 : 0;
    epoch = inEpoch;
    writer.append(new LedgerBatch(inEpoch, step, items, 0));
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  /** Reads a ledger back from disk and judges it. */
  static LedgerReport verify(Path file) throws IOException {
    try (LedgerReader reader =
        new LedgerReader(new BufferedInputStream(Files.newInputStream(file)))) {
      return LedgerVerifier.verify(List.of(reader));
    }
  }

  /** Whether a report proves so many whole epochs. */
  static boolean proves(LedgerReport report, int epochs) {
    return report.torn() == 0 && report.exactlyOnce() && report.epochs().size() == epochs;
  }

  /** The report in one line. */
  static String words(LedgerReport report, int epochs) {
    if (proves(report, epochs)) {
      return report.items() + " items exactly once in each of " + epochs + " epochs";
    }
    for (EpochReport each : report.epochs()) {
      if (!each.exactlyOnce()) {
        return "epoch "
            + each.epoch()
            + ": "
            + each.missing()
            + " items missing, "
            + each.doubled()
            + " doubled";
      }
    }
    return report.epochs().size() + " of " + epochs + " epochs";
  }
}
