package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.client.GetRequest;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Draw;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.AskStatus;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a draw asks for: any of its candidates from the cache in one round trip; what is then
 * lacking from wherever it can be had.
 */
final class Assembler {
  private final DatasetDigest digest;
  private final CacheAccess cache;
  private final PlanBoard board;
  private final Fetches fetches;

  Assembler(LoaderConfig config, CacheAccess cache, PlanBoard board, Fetches fetches) {
    this.digest = config.digest();
    this.cache = cache;
    this.board = board;
    this.fetches = fetches;
  }

  /**
   * The batch of a draw; as many items as it has places, each once.
   *
   * @param probed whether nothing is looked up and everything is read from the store
   * @param given up early when this says so
   * @throws LoadException if an item cannot be read
   */
  ReadBatch assemble(int epoch, Draw draw, boolean probed, Tally tally, BooleanSupplier given) {
    DatasetPlan held = board.held();
    try (Assembly assembly = new Assembly(draw.size())) {
      int[] found = probed ? new int[0] : takeCandidates(draw, assembly);
      int[] missing = draw.missing(found);
      MissingItems rest =
          new MissingItems(digest, cache, fetches, assembly, tally, given, missing, found.length);
      if (probed) {
        rest.readFromStore(loadingSpaces());
      } else {
        @Nullable SpaceId shared = board.shared();
        if (shared == null) {
          rest.readPlanned(spaces());
        } else {
          rest.readThrough(shared);
        }
      }
      rest.await();
      ReadBatch batch = assembly.finish(epoch);
      batch.supplied(held, probed);
      return batch;
    }
  }

  /** Which space takes an item that was not looked up: none where it is there anyway. */
  private MissingItems.Spaces loadingSpaces() {
    return spaces(each -> each.state() == ChunkState.LOADING);
  }

  /** Which space an item belongs to at this moment. */
  MissingItems.Spaces spaces() {
    return spaces(each -> true);
  }

  private MissingItems.Spaces spaces(Predicate<ChunkEntry> which) {
    DatasetPlan held = board.held();
    if (held == null || cache.client() == null) {
      return item -> null;
    }
    ChunkLayout layout = new ChunkLayout(digest.itemCount(), held.chunks());
    @Nullable SpaceId[] spaces = new SpaceId[held.chunks()];
    held.held().stream()
        .filter(which)
        .forEach(each -> spaces[each.chunk()] = held.space(each.chunk()));
    return item -> spaces[layout.chunkOf(item)];
  }

  /** Takes as many candidates as are wanted and there, and says which. */
  private int[] takeCandidates(Draw draw, Assembly assembly) {
    int[] candidates = draw.candidates();
    if (draw.want() == 0) {
      return new int[0];
    }
    List<ContentHash> hashes = Arrays.stream(candidates).mapToObj(digest::hash).toList();
    BlobAnswer answer = cache.get(GetRequest.any(draw.want(), hashes));
    if (answer == null) {
      return new int[0];
    }
    assembly.keep(answer, answer.hits() > 0);
    int[] found = new int[draw.want()];
    int count = 0;
    for (int i = 0; i < candidates.length && count < found.length; i++) {
      if (answer.status(i) == AskStatus.HIT) {
        assembly.put(count, candidates[i], answer.bytes(i), ItemSource.CACHE);
        assembly.substituted(i >= draw.want() ? 1 : 0);
        found[count++] = candidates[i];
      }
    }
    return Arrays.copyOf(found, count);
  }
}
