package io.quiver.remote.ingest;

import io.quiver.remote.ingest.Cut.ItemSink;
import io.quiver.remote.ingest.Cut.PlannedCut;
import io.quiver.remote.ingest.ItemPart.ObjectEnd;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs some cuts on one worker and keeps their results until the writer takes them.
 *
 * <p>The queue has no bound of its own, the {@link PartBudget} bounds all tasks together.
 */
final class IngestTask implements Runnable, ItemSink {
  private static final long MILLIS_BETWEEN_LOOKS = 20;

  private final List<PlannedCut> cuts;
  private final PartBudget budget;
  private final Supplier<Hasher> hashers;
  private final PartBudget.Share share = new PartBudget.Share();
  private final BlockingQueue<ItemPart> parts = new LinkedBlockingQueue<>();
  private ItemPart part = new ItemPart();
  private long emptySkipped;
  private volatile boolean ended;

  IngestTask(List<PlannedCut> cuts, PartBudget budget, Supplier<Hasher> hashers) {
    this.cuts = List.copyOf(cuts);
    this.budget = budget;
    this.hashers = hashers;
  }

  List<PlannedCut> cuts() {
    return cuts;
  }

  PartBudget.Share share() {
    return share;
  }

  /** Returns the next part, or null if none comes soon. */
  @Nullable ItemPart poll() throws InterruptedException {
    return parts.poll(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS);
  }

  /** Returns true if the worker has finished and every part was taken. */
  boolean exhausted() {
    return ended && parts.isEmpty();
  }

  @Override
  public void run() {
    try {
      Hasher hasher = hashers.get();
      for (PlannedCut cut : cuts) {
        cutOne(cut, hasher);
        if (part.full()) {
          emit();
        }
      }
      part.last = true;
      emit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
    }
  }

  @Override
  public void add(byte[] hash, long size, long offset, int label, byte[] name)
      throws InterruptedException {
    if (part.full()) {
      emit();
    }
    part.add(hash, 0, size, offset, label, name);
  }

  @Override
  public void emptySkipped(long count) {
    emptySkipped += count;
  }

  private void cutOne(PlannedCut cut, Hasher hasher) throws InterruptedException {
    emptySkipped = 0;
    hasher.reset();
    IOException failure = null;
    try {
      cut.cut().run(hasher, this);
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      failure = new IngestException("'" + cut.object().name() + "' could not be cut: " + e, e);
    }
    if (cut.reused()) {
      hasher.settleReused(cut.bytes());
    } else {
      hasher.settle(cut.bytes());
    }
    if (failure != null) {
      part.dropAfterLastEnd();
    }
    if (failure != null || cut.last()) {
      part.ends.add(new ObjectEnd(cut, part.count, emptySkipped, failure));
    }
  }

  private void emit() throws InterruptedException {
    budget.acquire(share, part.footprint());
    parts.add(part);
    part = new ItemPart();
  }
}
