package io.quiver.simulator.job;

import io.quiver.core.order.OrderSetup;
import io.quiver.core.order.Residency;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.chunk.RingPatience;
import io.quiver.simulator.cluster.SimulatedDataset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job draws in one epoch: its order, the division into chunks that the plan wants, and what
 * is being read.
 */
final class Draws {
  private final JobSetup setup;
  private final Runnable news;
  private final RingPatience patience;
  private final BitSet drained = new BitSet();
  private SimulatedEpoch order;
  private int[] outByChunk;
  private int beingRead;
  private boolean waiting;

  /**
   * The beginning of an epoch.
   *
   * @param chunks into how many the data set is divided as far as the job knows
   * @param news told when the manager should hear of something
   */
  Draws(JobSetup setup, int epoch, int chunks, Runnable news) {
    this.setup = setup;
    this.news = news;
    this.patience = new RingPatience(setup.batch());
    this.order = begin(setup, epoch, chunks);
    this.outByChunk = new int[chunks];
  }

  private static SimulatedEpoch begin(JobSetup setup, int epoch, int chunks) {
    SimulatedDataset dataset = setup.dataset();
    OrderSetup sampling = OrderSetup.single(dataset.items(), chunks, setup.batch(), setup.seed());
    return dataset.named()
        ? ItemizedEpoch.begin(setup.sampler(), sampling, epoch)
        : CountedEpoch.begin(sampling, epoch);
  }

  SimulatedEpoch order() {
    return order;
  }

  int beingRead() {
    return beingRead;
  }

  boolean allRead() {
    return order.finished() && beingRead == 0;
  }

  /** Whether it drew nothing because the next chunk of the ring is worth waiting for. */
  boolean waits() {
    return waiting;
  }

  /**
   * The next batch to read, unless something speaks against it now.
   *
   * @param reachable whether a new plan can come
   */
  @Nullable Wish next(PlanView view, boolean reachable, long now) {
    waiting = false;
    DatasetPlan held = view.held();
    if (held == null) {
      return draw(Residency.NONE, view);
    }
    if (!followDivision(held.chunks())) {
      return null;
    }
    waiting = mustWait(held, reachable, now);
    return waiting ? null : draw(view.residency(), view);
  }

  private @Nullable Wish draw(Residency residency, PlanView view) {
    Wish wish = order.draw(residency, view.ringRole());
    if (wish != null) {
      wish.count(outByChunk, 1);
      beingRead++;
    }
    return wish;
  }

  private boolean followDivision(int chunks) {
    if (chunks == order.chunks()) {
      return true;
    }
    if (beingRead > 0) {
      return false;
    }
    order = order.divided(chunks);
    outByChunk = new int[chunks];
    drained.clear();
    news.run();
    return true;
  }

  private boolean mustWait(DatasetPlan held, boolean reachable, long now) {
    int chunkItems = Math.max(1, setup.dataset().items() / held.chunks());
    return setup.sampler() == SamplerKind.SUBSTITUTE
        && patience.waits(held, order, chunkItems, reachable, now);
  }

  /** A batch has been read. */
  void settle(Wish wish, int[] items) {
    beingRead--;
    wish.count(outByChunk, -1);
    order.settle(wish, items);
  }

  /** A held chunk of which nothing is left to read is news for the manager. */
  void noteDrained(@Nullable DatasetPlan held) {
    if (held == null || held.chunks() != order.chunks()) {
      return;
    }
    for (ChunkEntry each : held.held()) {
      int chunk = each.chunk();
      if (remaining(chunk) > 0) {
        drained.clear(chunk);
      } else if (!drained.get(chunk)) {
        drained.set(chunk);
        news.run();
      }
    }
  }

  private int remaining(int chunk) {
    return allRead() ? 0 : order.available(chunk) + outByChunk[chunk];
  }

  /** For each chunk, the items yet to be read. */
  List<Integer> remaining() {
    List<Integer> counts = new ArrayList<>(order.chunks());
    for (int chunk = 0; chunk < order.chunks(); chunk++) {
      counts.add(remaining(chunk));
    }
    return counts;
  }
}
