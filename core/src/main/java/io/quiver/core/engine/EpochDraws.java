package io.quiver.core.engine;

import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides what one rank draws next in one epoch: it follows the division into chunks that the plan
 * wants, waits for the ring where that saves reads, and knows what is out.
 *
 * @param <D> what one batch is read by
 * @param <O> the order of the epoch
 */
public final class EpochDraws<D, O extends ReadOrder<D>> {
  private final boolean mayWait;
  private final RingPatience patience;
  private final int items;
  private final BitSet drained = new BitSet();
  private O order;
  private int[] outByChunk;
  private int out;
  private @Nullable DatasetPlan residencyOf;
  private Residency residency = Residency.NONE;
  private boolean waiting;
  private boolean news;

  /**
   * Begins an epoch.
   *
   * @param batch how many items are taken at a time
   * @param mayWait whether the order takes what is cached first, so that waiting for more helps
   */
  public EpochDraws(O order, int batch, boolean mayWait) {
    this.order = order;
    this.mayWait = mayWait;
    this.patience = new RingPatience(batch);
    this.items = order.available();
    this.outByChunk = new int[order.chunks()];
  }

  /** Returns the number of items that this rank delivers, from the beginning or resumption. */
  public int items() {
    return items;
  }

  /** Returns the order, as it is divided now. */
  public O order() {
    return order;
  }

  /** Returns the number of draws that are being read. */
  public int out() {
    return out;
  }

  /** Returns true if every item was read. */
  public boolean allRead() {
    return order.finished() && out == 0;
  }

  /** Returns true if nothing was drawn because the next chunk of the ring is worth a wait. */
  public boolean waits() {
    return waiting;
  }

  /** Returns true once after something happened that the manager should hear at once. */
  public boolean takeNews() {
    boolean any = news;
    news = false;
    return any;
  }

  /**
   * Draws the next batch, unless the plan speaks against it now.
   *
   * @param plan the latest plan; null for none
   * @param reachable whether a new plan can come
   */
  public @Nullable D next(@Nullable JobPlan plan, boolean reachable, long now) {
    waiting = false;
    DatasetPlan held = plan == null ? null : plan.dataset();
    if (held != null && !followDivision(held.chunks())) {
      return null;
    }
    if (plan == null || held == null) {
      return draw(Residency.NONE, RingRole.LEADER);
    }
    int ownChunk = Math.max(1, items / order.chunks());
    waiting = mayWait && patience.waits(held, order, ownChunk, out, reachable, now);
    return waiting ? null : draw(residency(held), plan.ringRole());
  }

  @SuppressWarnings("ReferenceEquality") // The very plan that was worked out last.
  private Residency residency(DatasetPlan held) {
    if (held != residencyOf) {
      residencyOf = held;
      residency = held.residency();
    }
    return residency;
  }

  private @Nullable D draw(Residency residency, RingRole ringRole) {
    D draw = order.draw(residency, ringRole);
    if (draw != null) {
      order.count(draw, outByChunk, 1);
      out++;
    }
    return draw;
  }

  /** Takes over the plan's number of chunks as soon as nothing is out. */
  @SuppressWarnings("unchecked") // An order is divided into one of its own kind.
  private boolean followDivision(int chunks) {
    if (chunks == order.chunks()) {
      return true;
    }
    if (out > 0) {
      return false;
    }
    order = (O) order.divided(chunks);
    outByChunk = new int[chunks];
    drained.clear();
    news = true;
    return true;
  }

  /** Ends a draw: these of its items were read, the others can be drawn again. */
  public void settle(D draw, int[] read) {
    out--;
    order.count(draw, outByChunk, -1);
    order.settle(draw, read);
  }

  /** Makes it news if nothing is left to read of a held chunk that had something before. */
  public void noteDrained(@Nullable DatasetPlan held) {
    if (held == null || held.chunks() != order.chunks()) {
      return;
    }
    for (ChunkEntry each : held.held()) {
      int chunk = each.chunk();
      if (remaining(chunk) > 0) {
        drained.clear(chunk);
      } else if (!drained.get(chunk)) {
        drained.set(chunk);
        news = true;
      }
    }
  }

  private int remaining(int chunk) {
    return allRead() ? 0 : order.available(chunk) + outByChunk[chunk];
  }

  /** Returns for each chunk how many items are yet to be read. */
  public int[] remaining() {
    int[] counts = new int[order.chunks()];
    for (int chunk = 0; chunk < counts.length; chunk++) {
      counts[chunk] = remaining(chunk);
    }
    return counts;
  }
}
