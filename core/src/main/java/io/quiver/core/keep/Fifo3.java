package io.quiver.core.keep;

import java.util.function.LongConsumer;

/**
 * S3-FIFO with a shadow that admits by frequency and takes over when it is clearly better.
 *
 * <p>S3-FIFO follows drifting loads closely; admission by frequency wins where popularity stays the
 * same and on scans. Neither wins everywhere, so a small model of the one not in use sees a sample
 * of all reads with the same share of the quota. Once it hits clearly more of the sample than the
 * keeper itself does, the two swap rules; nothing is evicted for that.
 */
public final class Fifo3 implements Keeper {
  /** Blobs of the shadow, about: the sample becomes sparser as the keeper grows. */
  private static final int SHADOW_BLOBS = 512;

  private static final int LEAST_SAMPLES = 2048;
  private static final double CLEAR_SHARE = 0.01;
  private static final double CLEAR_DEVIATIONS = 4;

  private final FifoQueues queues;
  private FifoQueues shadow;
  private int sampleShift;
  private long samples;
  private long hits;
  private long shadowHits;
  private long admissions;
  private long refusals;

  /** Makes an empty keeper. */
  public Fifo3(long quotaBytes) {
    queues = new FifoQueues(quotaBytes, FifoQueues.Admission.REUSE);
    shadow = new FifoQueues(quotaBytes, FifoQueues.Admission.FREQUENCY);
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
    samples++;
    hits += hit ? 1 : 0;
    if (shadow.touch(key)) {
      shadowHits++;
    } else {
      shadow.add(key, bytes, any -> {});
    }
    if (samples >= LEAST_SAMPLES) {
      compare();
    }
    if (queues.table().size() > (long) SHADOW_BLOBS << (sampleShift + 1)) {
      sampleShift++;
      renewShadow();
    }
  }

  private void compare() {
    double lead = shadowHits - hits;
    if (lead > CLEAR_SHARE * samples
        && lead > CLEAR_DEVIATIONS * Math.sqrt(Math.max(1, (double) shadowHits + hits) / 2)) {
      queues.admission(queues.admission().other());
      shadow.admission(shadow.admission().other());
      samples = 0;
      hits = 0;
      shadowHits = 0;
    } else if (samples >= 8 * LEAST_SAMPLES) {
      samples /= 2;
      hits /= 2;
      shadowHits /= 2;
    }
  }

  /** Begins the shadow anew, because it sees another sample now. */
  private void renewShadow() {
    shadow = new FifoQueues(queues.quotaBytes() >> sampleShift, queues.admission().other());
    samples = 0;
    hits = 0;
    shadowHits = 0;
  }

  @Override
  public boolean forget(long key) {
    return queues.forget(key);
  }

  @Override
  public void resize(long quotaBytes, LongConsumer victims) {
    queues.resize(quotaBytes, victims);
    shadow.resize(quotaBytes >> sampleShift, any -> {});
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
    return queues.memoryBytes() + shadow.memoryBytes();
  }
}
