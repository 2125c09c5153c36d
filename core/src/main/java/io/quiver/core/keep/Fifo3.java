package io.quiver.core.keep;

import io.quiver.core.keep.FifoQueues.Admission;
import java.util.function.LongConsumer;

/**
 * S3-FIFO with models of two other rules, which take over when they are clearly better.
 *
 * <p>S3-FIFO follows drifting loads closely; admission by frequency wins where popularity stays the
 * same; pinning wins where every blob is read equally often and on scans that come again. None wins
 * everywhere, so a small model of each rule not in use sees a sample of all reads with the same
 * share of the quota. Once a model hits clearly more of the sample than the keeper itself does, the
 * keeper goes by its rule; nothing is evicted for that.
 */
public final class Fifo3 implements Keeper {
  /** Blobs of a model, about: the sample becomes sparser as the keeper grows. */
  private static final int MODEL_BLOBS = 512;

  private final FifoQueues queues;
  private final Duel queued = new Duel();
  private final Duel pinning = new Duel();
  private FifoQueues model;
  private Uniform pinned;
  private boolean pinnedIsFull;
  private int sampleShift;
  private long admissions;
  private long refusals;

  /** Compares the hits of the keeper with those of a model, over the reads that both saw. */
  private static final class Duel {
    private static final int LEAST_SAMPLES = 2048;
    private static final double CLEAR_SHARE = 0.01;
    private static final double CLEAR_DEVIATIONS = 4;

    private long samples;
    private long hits;
    private long modelHits;

    void note(boolean hit, boolean modelHit) {
      samples++;
      hits += hit ? 1 : 0;
      modelHits += modelHit ? 1 : 0;
    }

    /** Returns true if the model hits clearly more. */
    boolean isWon() {
      double lead = modelHits - hits;
      return samples >= LEAST_SAMPLES
          && lead > CLEAR_SHARE * samples
          && lead > CLEAR_DEVIATIONS * Math.sqrt(Math.max(1, (double) modelHits + hits) / 2);
    }

    boolean isLong() {
      return samples >= 8 * LEAST_SAMPLES;
    }

    boolean isBehind() {
      return modelHits < hits;
    }

    /** Lets what was long ago count less, so that the duel follows the load. */
    void halve() {
      samples /= 2;
      hits /= 2;
      modelHits /= 2;
    }

    void begin() {
      samples = 0;
      hits = 0;
      modelHits = 0;
    }
  }

  /** Makes an empty keeper. */
  public Fifo3(long quotaBytes) {
    queues = new FifoQueues(quotaBytes, Admission.REUSE);
    model = new FifoQueues(quotaBytes, Admission.FREQUENCY);
    pinned = new Uniform(quotaBytes);
  }

  @Override
  public boolean offer(long key, long bytes, long priority, LongConsumer victims) {
    if (touch(key)) {
      return true;
    }
    sample(key, bytes, false);
    if (!queues.add(key, bytes, victims)) {
      refusals++;
      return false;
    }
    admissions++;
    return true;
  }

  @Override
  public boolean touch(long key) {
    if (!queues.touch(key)) {
      return false;
    }
    sample(key, queues.table().bytes(queues.table().find(key)), true);
    return true;
  }

  private void sample(long key, long bytes, boolean hit) {
    if ((KeyTable.mix(~key) & ((1L << sampleShift) - 1)) != 0) {
      return;
    }
    boolean modelHit = model.touch(key);
    if (!modelHit) {
      model.add(key, bytes, any -> {});
    }
    queued.note(hit, modelHit);
    samplePinned(key, bytes, hit);
    compare();
    if (queues.table().size() > (long) MODEL_BLOBS << (sampleShift + 1)) {
      sampleShift++;
      model = new FifoQueues(queues.quotaBytes() >> sampleShift, model.admission());
      begin();
    }
  }

  /** Lets the model that pins see a read; its hits count once it is full. */
  private void samplePinned(long key, long bytes, boolean hit) {
    boolean modelHit = pinned.touch(key);
    pinnedIsFull |= !modelHit && !pinned.offer(key, bytes, Ranked.UNKNOWN, any -> {});
    if (pinnedIsFull) {
      pinning.note(hit, modelHit);
    }
  }

  private void compare() {
    if (queued.isWon()) {
      queues.admission(model.admission());
      model.admission(model.admission().other());
      begin();
    } else if (queues.admission() != Admission.PINNED && pinning.isWon()) {
      queues.admission(Admission.PINNED);
      begin();
    }
    if (queued.isLong()) {
      queued.halve();
    }
    if (pinning.isLong() && pinning.isBehind()) {
      renewPinned();
    } else if (pinning.isLong()) {
      pinning.halve();
    }
  }

  private void begin() {
    queued.begin();
    renewPinned();
  }

  /** Pins anew: what came first may be long out of use. */
  private void renewPinned() {
    pinned = new Uniform(queues.quotaBytes() >> sampleShift);
    pinnedIsFull = false;
    pinning.begin();
  }

  @Override
  public boolean forget(long key) {
    return queues.forget(key);
  }

  @Override
  public void resize(long quotaBytes, LongConsumer victims) {
    queues.resize(quotaBytes, victims);
    model.resize(quotaBytes >> sampleShift, any -> {});
    pinned.resize(quotaBytes >> sampleShift, any -> {});
    pinnedIsFull = false;
  }

  @Override
  public boolean holds(long key) {
    return queues.table().find(key) >= 0;
  }

  @Override
  public Report report() {
    return new Report(
        queues.quotaBytes(),
        queues.table().usedBytes(),
        queues.table().size(),
        admissions,
        refusals,
        queues.evictions(),
        queues.ghosts().hits(),
        Ranked.UNKNOWN);
  }

  @Override
  public long memoryBytes() {
    return queues.memoryBytes() + model.memoryBytes() + pinned.memoryBytes();
  }
}
