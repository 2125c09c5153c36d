package io.quiver.core.ledger;

import io.quiver.core.order.ItemList;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the ledgers of all ranks, and of all runs, of one job: every item exactly once per epoch,
 * or exactly the entries of each epoch's list. Reads them side by side, epoch by epoch, so that its
 * memory does not grow with the number of epochs: two bits for each item, or a list and a counter.
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
   * Reads all ledgers to their ends and compares them with what their order promised.
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
    return new LedgerReport(
        first.job(), first.items(), first.order().kind(), sources.size(), torn, epochs);
  }

  private EpochReport nextEpoch() throws IOException {
    int epoch = Integer.MAX_VALUE;
    for (Source source : sources) {
      epoch = source.head == null ? epoch : Math.min(epoch, source.head.epoch());
    }
    EpochTally tally =
        first.order() == LedgerOrder.LIST
            ? EpochTally.ofList(listOf(epoch), epoch)
            : EpochTally.ofEpoch(first.items(), epoch);
    for (Source source : sources) {
      source.drain(epoch, tally);
    }
    return tally.report();
  }

  /** Returns the list of an epoch, which at least one ledger must have with its entries. */
  private ItemList listOf(int epoch) {
    LedgerList named = null;
    ItemList whole = null;
    for (Source source : sources) {
      LedgerList list = source.reader.list().filter(each -> each.epoch() == epoch).orElse(null);
      if (list == null) {
        continue;
      }
      if (named != null && !named.sha256().equals(list.sha256())) {
        throw new IllegalArgumentException(
            "epoch %d of job %s follows two lists, %.8s and %.8s"
                .formatted(epoch, first.job(), named.sha256(), list.sha256()));
      }
      named = list;
      whole = list.list().orElse(whole);
    }
    if (whole == null) {
      throw new IllegalArgumentException(
          "none of these ledgers has the list of epoch %d of job %s; name that of rank 0 too"
              .formatted(epoch, first.job()));
    }
    return whole;
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
