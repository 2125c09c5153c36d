package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.client.loader.Batch.ItemSource;
import io.quiver.core.engine.RankDivision;
import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.plan.probe.SupplyMode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A batch whose items have all been read. */
final class ReadBatch implements Batch {
  private final int epoch;
  private final int[] items;
  private final ByteBuffer[] bytes;
  private final ItemSource[] sources;
  private final int substituted;
  private final List<BlobAnswer> answers;
  private int padding = RankDivision.NONE;
  private SupplyMode supply = SupplyMode.MIXED;
  private boolean probed;
  private int[] places = new int[0];
  private @Nullable ImportanceEpoch importance;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A batch of these items.
   *
   * @param answers the cache's answers in which some of the bytes lie
   */
  ReadBatch(
      int epoch,
      int[] items,
      ByteBuffer[] bytes,
      ItemSource[] sources,
      int substituted,
      List<BlobAnswer> answers) {
    this.epoch = epoch;
    this.items = items;
    this.bytes = bytes;
    this.sources = sources;
    this.substituted = substituted;
    this.answers = answers;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  @Override
  public int size() {
    return items.length;
  }

  @Override
  public int item(int place) {
    return items[place];
  }

  @Override
  public int[] items() {
    return items.clone();
  }

  @Override
  public ByteBuffer bytes(int place) {
    if (closed.get()) {
      throw new IllegalStateException("the batch is closed");
    }
    return bytes[place].asReadOnlyBuffer();
  }

  @Override
  public long totalBytes() {
    long sum = 0;
    for (ByteBuffer each : bytes) {
      sum += each.remaining();
    }
    return sum;
  }

  @Override
  public ItemSource source(int place) {
    return sources[place];
  }

  /** Marks an item as padding, before the batch is handed on. */
  void padWith(int item) {
    padding = item;
  }

  /** Notes where its items stand in a list, but for those at the end that are padding. */
  void listed(int[] listPlaces, ImportanceEpoch epochOfList) {
    places = listPlaces;
    importance = epochOfList;
  }

  /** Returns the places of the list that it delivers; none if it is not of a list. */
  int[] places() {
    return places;
  }

  @Override
  public double weight(int place) {
    return importance == null ? 1 : importance.weight(items[place]);
  }

  /** Notes the supply mode and the probe, before the batch is handed on. */
  void supplied(SupplyMode how, boolean forProbe) {
    supply = how;
    probed = forProbe;
  }

  SupplyMode supply() {
    return supply;
  }

  boolean probed() {
    return probed;
  }

  @Override
  public boolean isPadding(int place) {
    return importance == null ? items[place] == padding : place >= places.length;
  }

  /** Returns the number of items from this source. */
  int count(ItemSource source) {
    int count = 0;
    for (ItemSource each : sources) {
      count += each == source ? 1 : 0;
    }
    return count;
  }

  /** Returns the number of items that were taken in place of others. */
  int substituted() {
    return substituted;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      answers.forEach(BlobAnswer::close);
    }
  }
}
