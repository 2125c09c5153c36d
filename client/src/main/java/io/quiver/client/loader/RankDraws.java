package io.quiver.client.loader;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.chunk.RingPatience;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;

/**
 * What one rank draws in one epoch: its sampler, the division into chunks that the plan wants, and
 * what is being read. Not thread-safe: its owner has a lock.
 */
final class RankDraws {
  private final LoaderConfig config;
  private final RankSampling sampling;
  private final JobParts parts;
  private final RingPatience patience;
  private final int items;
  private final Set<Draw> beingRead = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Integer> drained = new HashSet<>();
  private EpochOrder sampler;
  private int chunks;
  private ChunkLayout layout;

  RankDraws(LoaderConfig config, RankSampling sampling, JobParts parts) {
    this.config = config;
    this.sampling = sampling;
    this.parts = parts;
    this.patience = new RingPatience(config.batch());
    this.chunks = plannedChunks().orElse(1);
    this.layout = new ChunkLayout(config.digest().itemCount(), chunks);
    this.sampler = sampling.begin(chunks);
    this.items = sampler.available();
  }

  private Optional<Integer> plannedChunks() {
    return Optional.ofNullable(parts.board().held()).map(DatasetPlan::chunks);
  }

  /** How many items this rank delivers, from the beginning or resumption. */
  int items() {
    return items;
  }

  /** Items that can be drawn now. */
  int available() {
    return sampler.available();
  }

  /** How many draws are being read. */
  int beingRead() {
    return beingRead.size();
  }

  boolean allRead() {
    return sampler.finished() && beingRead.isEmpty();
  }

  /** The items that come next, where that is known. */
  int[] upcoming(int count) {
    return sampler.upcoming(count);
  }

  /** The next draw, unless something speaks against it now. */
  Optional<Draw> next(long now) {
    if (!followDivision()) {
      return Optional.empty();
    }
    JobPlan plan = parts.board().plan();
    DatasetPlan held = plan == null ? null : plan.dataset();
    if (plan == null || held == null) {
      return draw(Residency.NONE, RingRole.LEADER);
    }
    return held.chunks() != chunks || mustWait(held, now)
        ? Optional.empty()
        : draw(held.residency(), plan.ringRole());
  }

  private Optional<Draw> draw(Residency residency, RingRole ringRole) {
    Optional<Draw> draw = sampler.draw(residency, ringRole);
    draw.ifPresent(beingRead::add);
    return draw;
  }

  /**
   * Takes over the plan's number of chunks as soon as nothing is out; says whether it is in force.
   */
  private boolean followDivision() {
    int wanted = plannedChunks().orElse(chunks);
    if (wanted == chunks) {
      return true;
    }
    if (!beingRead.isEmpty()) {
      return false;
    }
    sampler = sampling.again(wanted, sampler.state());
    chunks = wanted;
    layout = new ChunkLayout(config.digest().itemCount(), wanted);
    drained.clear();
    parts.news().run();
    return true;
  }

  private boolean mustWait(DatasetPlan held, long now) {
    return config.sampler() == SamplerKind.SUBSTITUTE
        && patience.waits(
            held,
            sampler,
            Math.max(1, items / chunks),
            parts.managerReachable().getAsBoolean(),
            now);
  }

  /** A draw has been read; what was not delivered can be drawn again. */
  void settle(Draw draw, int[] delivered) {
    beingRead.remove(draw);
    sampler.settle(draw, delivered);
  }

  /** A held chunk of which nothing is left to read is news for the manager. */
  void noteDrained() {
    DatasetPlan held = parts.board().held();
    if (held == null || held.chunks() != chunks) {
      return;
    }
    int[] remaining = remaining();
    for (ChunkEntry each : held.held()) {
      if (remaining[each.chunk()] > 0) {
        drained.remove(each.chunk());
      } else if (drained.add(each.chunk())) {
        parts.news().run();
      }
    }
  }

  int chunks() {
    return chunks;
  }

  /** For each chunk, the items yet to be read. */
  int[] remaining() {
    int[] counts = new int[chunks];
    if (allRead()) {
      return counts;
    }
    for (int chunk = 0; chunk < chunks; chunk++) {
      counts[chunk] = sampler.available(chunk);
    }
    for (Draw draw : beingRead) {
      count(draw.candidates(), counts);
      count(draw.fetch(), counts);
      count(draw.spare(), counts);
    }
    return counts;
  }

  private void count(int[] drawn, int[] counts) {
    for (int item : drawn) {
      counts[layout.chunkOf(item)]++;
    }
  }

  /** About how many bytes a draw has when it is read. */
  long expectedBytes(Draw draw) {
    double candidates = bytes(draw.candidates());
    double share = (double) draw.want() / Math.max(1, draw.candidates().length);
    return Math.round(candidates * share) + bytes(draw.fetch());
  }

  private long bytes(int[] drawn) {
    long sum = 0;
    for (int item : drawn) {
      sum += config.digest().size(item);
    }
    return sum;
  }
}
