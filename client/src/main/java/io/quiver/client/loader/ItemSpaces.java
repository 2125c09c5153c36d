package io.quiver.client.loader;

import io.quiver.core.engine.BatchRead;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.space.SpaceId;
import java.util.List;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Says into which space of the cache each item of a data set goes at one moment. */
final class ItemSpaces {
  /** Nothing is inserted. */
  static final ItemSpaces NONE = new ItemSpaces(null, new SpaceId[1]);

  private final @Nullable ChunkLayout layout;
  private final @Nullable SpaceId[] spaces;
  private final @Nullable IntToLongFunction priorities;
  private final long least;

  /**
   * The place of an item in the cache.
   *
   * @param space the space it is inserted into
   * @param priority its priority there; 0 where blobs are not ranked
   */
  record Target(SpaceId space, long priority) {}

  private ItemSpaces(
      @Nullable ChunkLayout layout,
      @Nullable SpaceId[] spaces,
      @Nullable IntToLongFunction priorities,
      long least) {
    this.layout = layout;
    this.spaces = spaces;
    this.priorities = priorities;
    this.least = least;
  }

  private ItemSpaces(@Nullable ChunkLayout layout, @Nullable SpaceId[] spaces) {
    this(layout, spaces, null, 0);
  }

  /** Returns a copy in which items have priorities; those below the least are not inserted. */
  ItemSpaces ranked(IntToLongFunction byItem, long leastPriority) {
    return new ItemSpaces(layout, spaces, byItem, leastPriority);
  }

  /** Returns spaces of which one takes every item. */
  static ItemSpaces all(SpaceId space) {
    return new ItemSpaces(null, new SpaceId[] {space});
  }

  /** Returns the spaces of these chunks of a plan; items of others go nowhere. */
  static ItemSpaces ofChunks(DatasetPlan plan, List<ChunkEntry> chunks) {
    @Nullable SpaceId[] spaces = new SpaceId[plan.chunks()];
    chunks.forEach(each -> spaces[each.chunk()] = plan.space(each.chunk()));
    return new ItemSpaces(new ChunkLayout(plan.items(), plan.chunks()), spaces);
  }

  /** Returns the number of an item's space, or {@link BatchRead#NO_SPACE}. */
  int of(int item) {
    int number = layout == null ? 0 : layout.chunkOf(item);
    return spaces[number] == null ? BatchRead.NO_SPACE : number;
  }

  /** Returns the space with a number; null for none. */
  @Nullable SpaceId space(int number) {
    return number == BatchRead.NO_SPACE ? null : spaces[number];
  }

  /** Returns where an item is inserted; null for nowhere. */
  @Nullable Target target(int item) {
    return target(item, of(item));
  }

  /** Returns where an item of the space with a number is inserted; null for nowhere. */
  @Nullable Target target(int item, int number) {
    SpaceId space = space(number);
    if (space == null || priorities == null) {
      return space == null ? null : new Target(space, 0);
    }
    long priority = priorities.applyAsLong(item);
    return priority < least ? null : new Target(space, priority);
  }
}
