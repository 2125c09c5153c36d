package io.quiver.core.plan.chunk;

import io.quiver.core.bound.Bounds;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Residency;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.space.SpaceId;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * The planned contents of the cache for one data set. Everybody who reads it moves toward it; who
 * reads an old one loses time, never data.
 *
 * @param dataset which data set
 * @param items how many items it has
 * @param bytes how long they are together
 * @param chunks how many chunks it is divided into; fixed while any is held
 * @param ring whether chunks rotate; if not, what is not held is read from the store
 * @param held the chunks in the cache or on their way, in the order they came
 */
public record DatasetPlan(
    DatasetKey dataset, int items, long bytes, int chunks, boolean ring, List<ChunkEntry> held) {
  /** Keeps its own copy and refuses what cannot be. */
  public DatasetPlan {
    Bounds.present("dataset", dataset);
    Bounds.whole("items", items, 1, Integer.MAX_VALUE);
    Bounds.whole("bytes", bytes, 0, Bounds.MAX_BYTES);
    Bounds.whole("chunks", chunks, 1, Math.min(items, ChunkLayout.MAX_CHUNKS));
    held = Bounds.list("held", held, chunks);
    BitSet seen = new BitSet(chunks);
    for (ChunkEntry each : held) {
      Bounds.whole("a chunk in held", each.chunk(), 0, chunks - 1);
      if (seen.get(each.chunk())) {
        throw new IllegalArgumentException("held has chunk " + each.chunk() + " twice");
      }
      seen.set(each.chunk());
    }
  }

  /** Returns what a sampler may expect in the cache. */
  public Residency residency() {
    return new Residency(chunks(ChunkRole.PINNED, ChunkState.ACTIVE), window(), loading(), ring);
  }

  /** Returns the rotating chunks that can be read, the one that leaves first in front. */
  private List<Integer> window() {
    return held.stream()
        .filter(each -> each.role() == ChunkRole.ROTATING && each.state() != ChunkState.LOADING)
        .sorted((a, b) -> b.state().compareTo(a.state()))
        .map(ChunkEntry::chunk)
        .toList();
  }

  /** Returns the chunks on their way, the one needed first in front. */
  private List<Integer> loading() {
    return held.stream()
        .filter(each -> each.state() == ChunkState.LOADING)
        .map(ChunkEntry::chunk)
        .toList();
  }

  private List<Integer> chunks(ChunkRole role, ChunkState state) {
    return held.stream()
        .filter(each -> each.role() == role && each.state() == state)
        .map(ChunkEntry::chunk)
        .toList();
  }

  /** Returns true if everything that is to be pinned has been found whole. */
  public boolean pinnedIsWhole() {
    return held.stream()
        .noneMatch(each -> each.role() == ChunkRole.PINNED && each.state() == ChunkState.LOADING);
  }

  /** Returns the entry of a chunk, if the plan has it. */
  public Optional<ChunkEntry> find(int chunk) {
    return held.stream().filter(each -> each.chunk() == chunk).findFirst();
  }

  /** Returns the space of a chunk. */
  public SpaceId space(int chunk) {
    return dataset.space(chunks, chunk);
  }
}
