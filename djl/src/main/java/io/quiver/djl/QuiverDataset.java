package io.quiver.djl;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Dataset;
import ai.djl.util.Progress;
import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.ImportanceChoice;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderStatistics;
import io.quiver.core.order.EpochState;
import io.quiver.djl.BatchMaker.Decoding;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DJL data set whose samples come through the cache. Every {@link #getData} is the next epoch:
 * every item exactly once, in an order that Quiver draws from what the cache holds. Where there is
 * no cache, or none any more, samples come from the store.
 *
 * <p>It joins the cache when it is built and leaves it when it is closed. One epoch is under way at
 * a time; the next one ends it.
 */
public final class QuiverDataset implements Dataset, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QuiverDataset.class);

  private final BatchLoader loader;
  private final Decoding decoding;
  private final List<AutoCloseable> owned;
  // Both guarded by this.
  private int nextEpoch;
  private @Nullable EpochData current;

  /**
   * Joins the cache.
   *
   * @param owned what was opened for this data set alone, in the order to close it
   */
  QuiverDataset(LoaderConfig config, Decoding decoding, List<AutoCloseable> owned) {
    if (config.ranksHere() != 1) {
      throw new IllegalArgumentException(
          config.ranksHere() + " ranks in one data set; build one for each, with withRank");
    }
    this.loader = BatchLoader.open(config);
    this.decoding = decoding;
    this.owned = List.copyOf(owned);
    this.nextEpoch =
        config
            .importance()
            .flatMap(ImportanceChoice::resume)
            .map(state -> state.progress().epoch())
            .or(() -> config.resume().map(EpochState::epoch))
            .orElse(0);
  }

  /** Returns a builder of data sets. */
  public static QuiverDatasetBuilder builder() {
    return new QuiverDatasetBuilder();
  }

  /** Begins the next epoch; batches are decoded in the thread that asks for them. */
  @Override
  public EpochData getData(NDManager manager) {
    return getData(manager, null);
  }

  /**
   * Begins the next epoch.
   *
   * @param manager arrays are made below it; closing it ends the epoch
   * @param executor decodes batches ahead of the training loop; null to decode them in its thread
   */
  @Override
  public synchronized EpochData getData(NDManager manager, @Nullable ExecutorService executor) {
    if (current != null) {
      current.close();
    }
    EpochData data = EpochData.begin(loader, nextEpoch, decoding, manager, executor);
    nextEpoch++;
    current = data;
    return data;
  }

  /** Does nothing: all there is to prepare was done when it was built. */
  @Override
  public void prepare(@Nullable Progress progress) {}

  /** Returns the number of items of the data set, all ranks together. */
  public int size() {
    return loader.config().digest().itemCount();
  }

  /**
   * Returns the state to resume from if the program ended now, for {@link
   * QuiverDatasetBuilder#optResume}.
   */
  public synchronized EpochState state() {
    return current == null ? loader.state() : current.state();
  }

  /** Returns the loader's statistics so far, over all epochs. */
  public LoaderStatistics statistics() {
    return loader.statistics();
  }

  /** Returns the loader underneath. */
  public BatchLoader loader() {
    return loader;
  }

  /** Ends the epoch that is under way and leaves the cache. */
  @Override
  public synchronized void close() {
    if (current != null) {
      current.close();
    }
    loader.close();
    for (AutoCloseable each : owned) {
      close(each);
    }
  }

  static void close(AutoCloseable each) {
    try {
      each.close();
    } catch (Exception e) {
      LOG.warn("{} did not close cleanly", each.getClass().getSimpleName(), e);
    }
  }
}
