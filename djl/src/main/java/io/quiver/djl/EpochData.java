package io.quiver.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoadedEpoch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.order.EpochState;
import io.quiver.djl.BatchMaker.Decoding;
import io.quiver.djl.DecodedBatches.DecodeInTurn;
import io.quiver.djl.DecodedBatches.Decoded;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one epoch, to be walked through once by one thread.
 *
 * <p>It ends with the last batch, when it is closed, when the manager it was made with is closed,
 * or when the next epoch begins, whichever comes first; batches that are still open go with it.
 * Nothing need be closed by a loop that stops half-way. What cannot be decoded is a {@link
 * DecodeException} from the iterator, which can then be asked for the next batch.
 */
public final class EpochData implements Iterable<Batch>, AutoCloseable {
  private final BatchLoader loader;
  private final LoadedEpoch epoch;
  private final NDManager manager;
  private final DecodedBatches batches;
  private final Delivered delivered;
  private boolean begun;
  private @Nullable Decoded handedOut;

  private EpochData(
      BatchLoader loader,
      LoadedEpoch epoch,
      NDManager manager,
      DecodedBatches batches,
      Delivered delivered) {
    this.loader = loader;
    this.epoch = epoch;
    this.manager = manager;
    this.batches = batches;
    this.delivered = delivered;
  }

  /** Begins an epoch; with an executor, batches are decoded ahead in its threads. */
  static EpochData begin(
      BatchLoader loader,
      int number,
      Decoding decoding,
      NDManager parent,
      @Nullable ExecutorService executor) {
    NDManager manager = parent.newSubManager();
    manager.setName("quiver epoch " + number);
    boolean begun = false;
    try {
      EpochData data = begin(loader, loader.epoch(number), decoding, manager, executor);
      begun = true;
      return data;
    } finally {
      if (!begun) {
        manager.close();
      }
    }
  }

  private static EpochData begin(
      BatchLoader loader,
      LoadedEpoch epoch,
      Decoding decoding,
      NDManager manager,
      @Nullable ExecutorService executor) {
    BatchMaker maker = new BatchMaker(loader.config(), decoding, manager, epoch.items());
    DecodedBatches batches =
        executor == null ? new DecodeInTurn(epoch, maker) : new DecodeAhead(epoch, maker, executor);
    EpochData data =
        new EpochData(
            loader, epoch, manager, batches, new Delivered(loader.config(), epoch.number()));
    manager.attachInternal("quiver-epoch", (AutoCloseable) data::end);
    return data;
  }

  /** Returns the number of the epoch, from 0. */
  public int number() {
    return epoch.number();
  }

  /** Returns the number of items of this epoch, from its beginning or resumption. */
  public int items() {
    return epoch.items();
  }

  /** Returns the loader's statistics of this epoch so far. */
  public LoaderStatistics statistics() {
    return epoch.statistics();
  }

  /**
   * Returns the weight of each sample of the batch handed out last in the loss: it keeps the mean
   * over a list drawn by importance that over the data set. All are 1 in any other epoch.
   */
  public double[] weights() {
    return latest().weights().clone();
  }

  /**
   * Reports the losses of the batch handed out last, one for each sample: what to read more often
   * follows from them. {@code batch.getIndices()} and {@link BatchLoader#report} serve late ones.
   */
  public void report(double[] losses) {
    int[] items =
        latest().batch().getIndices().stream()
            .mapToInt(each -> ((Number) each).intValue())
            .toArray();
    loader.report(items, losses);
  }

  private Decoded latest() {
    Decoded latest = handedOut;
    if (latest == null) {
      throw new IllegalStateException("no batch of epoch " + number() + " was handed out yet");
    }
    return latest;
  }

  /**
   * Returns the state to resume from if the program ended now: the items handed out by the iterator
   * are done.
   *
   * @throws IllegalStateException if samples are drawn by importance: see {@link
   *     BatchLoader#importanceState}
   */
  public EpochState state() {
    if (loader.config().importance().isPresent()) {
      throw new IllegalStateException(
          "samples are drawn by importance; save loader().importanceState()");
    }
    return delivered.state();
  }

  /**
   * Returns the way through the epoch.
   *
   * @throws IllegalStateException the second time: another epoch is another {@code getData}
   */
  @Override
  public Iterator<Batch> iterator() {
    if (begun) {
      throw new IllegalStateException(
          "epoch " + number() + " is being walked through already; call getData for the next one");
    }
    begun = true;
    return new Walk();
  }

  /** Ends the epoch and frees its batches; closing twice is harmless. */
  @Override
  public void close() {
    manager.close();
  }

  private void end() {
    epoch.close();
    batches.close();
  }

  private final class Walk implements Iterator<Batch> {
    private @Nullable Decoded ahead;
    private boolean ended;

    @Override
    public boolean hasNext() {
      if (ahead == null && !ended) {
        Optional<Decoded> next = batches.next();
        ahead = next.orElse(null);
        ended = next.isEmpty();
        if (ended) {
          close();
        }
      }
      return ahead != null;
    }

    @Override
    public Batch next() {
      Decoded next = hasNext() ? ahead : null;
      if (next == null) {
        throw new NoSuchElementException("epoch " + number() + " has no more batches");
      }
      ahead = null;
      delivered.add(next.items());
      handedOut = next;
      return next.batch();
    }
  }

  /**
   * Records the items that the training loop was given in an epoch. The loader counts what is
   * decoded ahead as delivered; a state to go on from must not.
   */
  static final class Delivered {
    private final LoaderConfig config;
    private final int epoch;
    private final long[] bits;

    Delivered(LoaderConfig config, int epoch) {
      this.config = config;
      this.epoch = epoch;
      this.bits =
          config
              .resume()
              .filter(state -> state.epoch() == epoch)
              .map(EpochState::delivered)
              .orElseGet(() -> new long[(config.digest().itemCount() + 63) >> 6]);
    }

    synchronized void add(List<Integer> items) {
      for (int item : items) {
        bits[item >> 6] |= 1L << item;
      }
    }

    synchronized EpochState state() {
      return new EpochState(config.seed(), epoch, config.digest().itemCount(), bits);
    }
  }
}
