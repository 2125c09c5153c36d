package io.quiver.core.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the ledgers of all ranks, and of all runs, of one job: every item exactly once per epoch.
 * Reads them side by side, epoch by epoch, so that it needs two bits for each item however many
 * epochs there are.
 */
public final class LedgerVerifier {
  private final List<Source> sources = new ArrayList<>();
  private final LedgerHeader first;

  private LedgerVerifier(List<LedgerReader> ledgers) throws IOException {
    first = ledgers.getFirst().header();
    for (LedgerReader ledger : ledgers) {
      requireSameJob(ledger.header());
      sources.add(new Source(ledger));
    }
  }

  /**
   * Reads all ledgers to their ends and judges.
   *
   * @param ledgers at least one, each from its beginning; they stay open
   */
  public static LedgerReport verify(List<LedgerReader> ledgers) throws IOException {
    if (ledgers.isEmpty()) {
      throw new IllegalArgumentException("no ledger to verify");
    }
    return new LedgerVerifier(ledgers).report();
  }

  private void requireSameJob(LedgerHeader header) {
    if (!header.sameJob(first)) {
      throw new IllegalArgumentException(
          "ledgers of different jobs cannot be judged together: " + first + " and " + header);
    }
  }

  private LedgerReport report() throws IOException {
    List<EpochReport> epochs = new ArrayList<>();
    while (sources.stream().anyMatch(source -> source.head != null)) {
      epochs.add(nextEpoch());
    }
    int torn = (int) sources.stream().filter(source -> source.torn()).count();
    return new LedgerReport(first.job(), first.items(), sources.size(), torn, epochs);
  }

  private EpochReport nextEpoch() throws IOException {
    int epoch = Integer.MAX_VALUE;
    for (Source source : sources) {
      epoch = source.head == null ? epoch : Math.min(epoch, source.head.epoch());
    }
    EpochTally tally = new EpochTally(first.items(), epoch);
    for (Source source : sources) {
      source.drain(epoch, tally);
    }
    return tally.report();
  }

  /** A ledger with the batch that comes next. */
  private static final class Source {
    private final LedgerReader reader;
    private @Nullable LedgerBatch head;

    Source(LedgerReader reader) throws IOException {
      this.reader = reader;
      advance();
    }

    private void advance() throws IOException {
      Optional<LedgerBatch> next = reader.next();
      head = next.orElse(null);
    }

    void drain(int epoch, EpochTally tally) throws IOException {
      LedgerBatch batch = head;
      while (batch != null && batch.epoch() == epoch) {
        tally.add(batch);
        advance();
        batch = head;
      }
    }

    boolean torn() {
      return reader.tornAt().isPresent();
    }
  }
}
