package io.quiver.gateway.door.stream;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.stream.BlockPlace;
import io.quiver.gateway.door.block.ObjectBlocks;
import io.quiver.gateway.door.cache.KnownItems;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Tells which streams read the items of a digest: such a stream is a job of the data set, so that
 * programs and loaders share its bytes. Its blocks go into the spaces of the chunks that the plan
 * holds. Only objects of one block count: others are cut differently than items are.
 *
 * <p>Of each folder the reads of items and of other objects are counted. A few others do no harm: a
 * table of labels may lie beside the images of a digest.
 */
final class DatasetStreams {
  private static final int MOST_FOLDERS = 1024;

  /** Folders that are deeper, or have longer paths, are not counted. */
  private static final int MOST_LEVELS = 16;

  private static final int LONGEST_PATH = 1024;

  /** Counts are halved then, so that what is read now decides. */
  private static final int MOST_READS = 10_000;

  /** A stream is of the data set if at most one read of so many is of another object. */
  private static final int READS_OF_OTHERS = 100;

  private final KnownItems items;
  // Used by the thread that learns only.
  private final LinkedHashMap<String, Reads> folders = new LinkedHashMap<>(16, 0.75f, true);
  private volatile Held held = Held.NOTHING;

  private static final class Reads {
    private int items;
    private int others;

    void add(boolean isItem) {
      items += isItem ? 1 : 0;
      others += isItem ? 0 : 1;
      if (items + others >= MOST_READS) {
        items /= 2;
        others /= 2;
      }
    }

    boolean areOfItems() {
      return items > 0 && (long) others * READS_OF_OTHERS <= items;
    }
  }

  /** The chunks that the latest plan holds, by number; a null layout means none. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Held(@Nullable ChunkLayout layout, @Nullable BlockPlace[] places) {
    static final Held NOTHING = new Held(null, new BlockPlace[0]);
  }

  DatasetStreams(KnownItems items) {
    this.items = items;
  }

  /** Notes a read of an object. */
  void read(ObjectBlocks file) {
    boolean isItem = item(file).isPresent();
    String folder = file.object().name();
    for (int level = 0; level < MOST_LEVELS && !folder.isEmpty(); level++) {
      folder = folder.substring(0, Math.max(0, folder.lastIndexOf('/')));
      if (folder.length() <= LONGEST_PATH) {
        folders.computeIfAbsent(folder, any -> new Reads()).add(isItem);
      }
    }
    while (folders.size() > MOST_FOLDERS) {
      folders.pollFirstEntry();
    }
  }

  private OptionalInt item(ObjectBlocks file) {
    return file.count() == 1 ? items.item(file.object()) : OptionalInt.empty();
  }

  /** Returns the key of the data set if what is read below a folder are its items; else null. */
  @Nullable String of(String folder) {
    @Nullable Reads reads = folders.get(folder);
    return reads != null && reads.areOfItems() ? items.dataset().text() : null;
  }

  /** Follows the plan's word about data sets. */
  void follow(List<DatasetPlan> plans) {
    held =
        plans.stream()
            .filter(plan -> plan.dataset().equals(items.dataset()) && plan.items() == items.all())
            .findFirst()
            .map(DatasetStreams::held)
            .orElse(Held.NOTHING);
  }

  private static Held held(DatasetPlan plan) {
    @Nullable BlockPlace[] places = new @Nullable BlockPlace[plan.chunks()];
    for (ChunkEntry each : plan.held()) {
      places[each.chunk()] = new BlockPlace.Own(plan.space(each.chunk()));
    }
    return new Held(new ChunkLayout(plan.items(), plan.chunks()), places);
  }

  /** Returns the place of an item whose chunk is held; null for anything else. */
  @Nullable BlockPlace place(ObjectBlocks file) {
    Held now = held;
    ChunkLayout layout = now.layout;
    if (layout == null) {
      return null;
    }
    OptionalInt item = item(file);
    return item.isEmpty() ? null : now.places[layout.chunkOf(item.getAsInt())];
  }
}
