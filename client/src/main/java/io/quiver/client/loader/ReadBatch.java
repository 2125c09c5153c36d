package io.quiver.client.loader;

import io.quiver.client.BlobAnswer;
import io.quiver.core.plan.probe.SupplyMode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A batch whose items have all been read. */
final class ReadBatch implements Batch {
  private final int epoch;
  private final int[] items;
  private final ByteBuffer[] bytes;
  private final ItemSource[] sources;
  private final int substituted;
  private final List<BlobAnswer> answers;
  private int padding = RankSampling.NONE;
  private SupplyMode supply = SupplyMode.MIXED;
  private boolean probed;
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

  /** This item, if it has it, is padding; to be said before it is handed on. */
  void padWith(int item) {
    padding = item;
  }

  /** Notes how it was supplied, and if for a probe's sake; to be said before it is handed on. */
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
    return items[place] == padding;
  }

  /** How many items came from this source. */
  int count(ItemSource source) {
    int count = 0;
    for (ItemSource each : sources) {
      count += each == source ? 1 : 0;
    }
    return count;
  }

  /** How many items were taken in place of others. */
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
