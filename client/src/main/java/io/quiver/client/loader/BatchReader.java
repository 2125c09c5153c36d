package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.client.GetRequest;
import io.quiver.client.GetRequest.Verification;
import io.quiver.client.loader.Batch.ItemSource;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.engine.BatchRead;
import io.quiver.core.engine.BatchRead.Step;
import io.quiver.core.engine.ItemStatus;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.order.Draw;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.RankFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads what a draw asks for: carries out the decisions of {@link BatchRead} in one thread. */
final class BatchReader {
  private final DatasetDigest digest;
  private final Verification verification;
  private final CacheAccess cache;
  private final LatestPlan board;
  private final StoreFetcher fetcher;
  private final Ranker ranker;

  BatchReader(
      LoaderConfig config,
      CacheAccess cache,
      LatestPlan board,
      StoreFetcher fetcher,
      Ranker ranker) {
    this.digest = config.digest();
    this.verification = config.verification();
    this.cache = cache;
    this.board = board;
    this.fetcher = fetcher;
    this.ranker = ranker;
  }

  /**
   * Reads the batch of a draw by importance, and ranks what the cache has of it.
   *
   * @param listed the places of the list that the draw takes
   */
  ReadBatch read(
      int epoch,
      Draw draw,
      ListedBatch listed,
      boolean probed,
      Tally tally,
      BooleanSupplier given) {
    if (!listed.epoch().ranksByScore()) {
      cache.moveTo(listed.position());
    }
    ItemSpaces spaces =
        (probed ? spacesLoading() : spaces())
            .ranked(listed::priority, listed.leastWorth(cache.lowest()));
    ReadBatch batch = read(epoch, draw, spaces, probed, tally, given);
    batch.listed(listed.places(), listed.epoch());
    SpaceId shared = board.shared();
    if (shared != null) {
      ranker.offer(shared, hits(batch, listed));
    }
    return batch;
  }

  private List<RankFrame.Row> hits(ReadBatch batch, ListedBatch listed) {
    List<RankFrame.Row> rows = new ArrayList<>();
    for (int place = 0; place < batch.size(); place++) {
      int item = batch.item(place);
      if (batch.source(place) != ItemSource.STORE && listed.ranks(item)) {
        rows.add(new RankFrame.Row(digest.hash(item), listed.priority(item)));
      }
    }
    return rows;
  }

  /**
   * Reads the batch of a draw: as many items as it has places, each once.
   *
   * @param probed whether nothing is looked up and everything is read from the store
   * @param given up early when this says so
   * @throws LoadException if an item cannot be read
   */
  ReadBatch read(int epoch, Draw draw, boolean probed, Tally tally, BooleanSupplier given) {
    return read(epoch, draw, probed ? spacesLoading() : spaces(), probed, tally, given);
  }

  private ReadBatch read(
      int epoch, Draw draw, ItemSpaces spaces, boolean probed, Tally tally, BooleanSupplier given) {
    DatasetPlan held = board.held();
    try (BatchAssembly assembly = new BatchAssembly(draw.size(), spaces, fetcher, tally)) {
      BatchRead read =
          new BatchRead(
              draw.candidates(),
              draw.want(),
              draw.size(),
              draw::missing,
              supply(),
              spaces::of,
              assembly);
      Step step = read.begin(probed, System.nanoTime());
      while (step != Step.DELIVER) {
        step = step == Step.ASK ? ask(read, assembly) : pause(read, given);
      }
      assembly.await();
      boolean ring = held != null && held.ring() && !probed;
      return assembly.finish(epoch, read, ring, probed);
    }
  }

  private BatchRead.Supply supply() {
    return board.shared() == null ? BatchRead.Supply.SHARED : BatchRead.Supply.READ_THROUGH;
  }

  private Step ask(BatchRead read, BatchAssembly assembly) {
    List<ContentHash> hashes = Arrays.stream(read.question()).mapToObj(digest::hash).toList();
    GetRequest question =
        read.wanted() < hashes.size()
            ? GetRequest.any(read.wanted(), hashes)
            : GetRequest.all(hashes);
    question = question.verifiedBy(verification);
    BlobAnswer answer = cache.get(read.claims() ? question.claiming() : question);
    if (answer == null) {
      return read.answered(null, true, System.nanoTime());
    }
    assembly.keep(answer);
    return read.answered(statuses(answer), !answer.failures().isEmpty(), System.nanoTime());
  }

  private static List<ItemStatus> statuses(BlobAnswer answer) {
    List<ItemStatus> statuses = new ArrayList<>(answer.size());
    for (int i = 0; i < answer.size(); i++) {
      statuses.add(status(answer.status(i)));
    }
    return statuses;
  }

  /** Returns what a status means to a reader: what was not looked at or sent is asked for again. */
  static ItemStatus status(AskStatus status) {
    return switch (status) {
      case HIT -> ItemStatus.HIT;
      case MISS -> ItemStatus.MISS;
      case YOURS -> ItemStatus.YOURS;
      case PENDING, SKIPPED, DEFERRED -> ItemStatus.PENDING;
    };
  }

  private static Step pause(BatchRead read, BooleanSupplier given) {
    if (given.getAsBoolean()) {
      throw new LoadException("the epoch was closed", null);
    }
    try {
      TimeUnit.NANOSECONDS.sleep(read.pauseNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LoadException("interrupted while another job fetches", e);
    }
    return read.woken(System.nanoTime());
  }

  /** Returns where items go at this moment. */
  ItemSpaces spaces() {
    return spaces(board.held(), false);
  }

  /** Returns where items go that were not looked up: nowhere if they are there anyway. */
  private ItemSpaces spacesLoading() {
    return spaces(board.held(), true);
  }

  private ItemSpaces spaces(@Nullable DatasetPlan held, boolean loadingOnly) {
    SpaceId shared = board.shared();
    if (shared != null) {
      return loadingOnly ? ItemSpaces.NONE : ItemSpaces.all(shared);
    }
    if (held == null || cache.client() == null) {
      return ItemSpaces.NONE;
    }
    List<ChunkEntry> chunks =
        held.held().stream()
            .filter(each -> !loadingOnly || each.state() == ChunkState.LOADING)
            .toList();
    return ItemSpaces.ofChunks(held, chunks);
  }
}
