package io.quiver.node.job;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.core.ledger.LedgerVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The ledgers of one run, one for each rank, and beside them those of the runs before. After each
 * epoch they are read back from disk from where the last look ended, and judged all together.
 */
final class RunLedgers implements AutoCloseable {
  private final List<JobLedger> ranks = new ArrayList<>();
  private final List<LedgerReader> readers = new ArrayList<>();

  private RunLedgers() {}

  /** Begins the ledgers of a run; none of their files may be there yet. */
  static RunLedgers begin(LedgerFiles files, String job, LoaderConfig config) throws IOException {
    RunLedgers ledgers = new RunLedgers();
    try {
      for (Path earlier : files.earlier()) {
        if (Files.size(earlier) > 0) {
          ledgers.readers.add(JobLedger.open(earlier));
        }
      }
      for (int rank = 0; rank < config.ranks(); rank++) {
        Path file = Files.createFile(files.ofRank(rank, config.ranks()));
        ledgers.ranks.add(new JobLedger(file, JobLedger.header(job, config, rank)));
        ledgers.readers.add(JobLedger.open(file));
      }
      return ledgers;
    } catch (IOException | RuntimeException e) {
      ledgers.close();
      throw e;
    }
  }

  /** Returns the ledger of a rank. */
  JobLedger ofRank(int rank) {
    return ranks.get(rank);
  }

  /** Judges what was written since the last time, at the end of an epoch of all ranks. */
  LedgerReport verify() throws IOException {
    return LedgerVerifier.verify(readers);
  }

  @Override
  public void close() throws IOException {
    for (JobLedger ledger : ranks) {
      ledger.close();
    }
    for (LedgerReader reader : readers) {
      reader.close();
    }
  }
}
