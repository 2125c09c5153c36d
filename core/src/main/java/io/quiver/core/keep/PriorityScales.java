package io.quiver.core.keep;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Translates the priorities of several jobs to the one scale of a space, so that jobs that have
 * read different numbers of samples compare by the samples until the next use.
 *
 * <p>A job tells the position of a next use on its own count. The space has a clock, the furthest
 * position of all its jobs; each job has an offset between its count and that clock. At its first
 * call a job's position becomes the clock's. A job that has fallen behind by more than {@link
 * #SLACK_SAMPLES} is brought up to the clock: it reads more slowly, and the next uses it tells must
 * not all seem to be over. Scores need no translation and rank above all next uses.
 *
 * <p>Ranks of one job are not all equally far, so its furthest position counts. A job that was
 * resumed from an earlier state stays behind that position in all of many calls; then it begins
 * anew. Not thread-safe.
 */
public final class PriorityScales {
  /** The highest priority that a job can tell; 0 stands for none. */
  public static final long MAX_PRIORITY = 0xFFFF_FFFFL;

  /** Most jobs; beyond that the one that was not heard of for the longest is released. */
  public static final int MAX_JOBS = Ranked.MAX_JOBS - 1;

  /** A job further than this behind the clock is brought up to it. */
  static final int SLACK_SAMPLES = 4096;

  /** A job that stays behind its furthest position for so many calls has gone back. */
  static final int CALLS_UNTIL_BACK = 1024;

  /** So far ahead that no translated next use is less than 1. */
  private static final long FIRST_CLOCK = 1L << 32;

  private final Map<String, Scale> scales = new HashMap<>();
  private final BitSet numbers = new BitSet();
  private long clock = FIRST_CLOCK;
  private long calls;

  /** Relates the count of one job to the clock. */
  private static final class Scale {
    final int number;
    long heard;
    boolean placed;
    long offset;
    long furthest;
    long furthestSince; // since the furthest position was last reached
    int callsSince;

    Scale(int number) {
      this.number = number;
    }

    /** Notes a position; returns true if the job has no place on the clock, or no more. */
    boolean isLost(long position) {
      boolean strange = !placed || position - furthest > Integer.MAX_VALUE;
      boolean behind = !strange && position < furthest;
      if (behind) {
        furthestSince = Math.max(furthestSince, position);
        if (++callsSince < CALLS_UNTIL_BACK) {
          return false;
        }
      }
      furthest = behind ? furthestSince : position;
      furthestSince = 0;
      callsSince = 0;
      return strange || behind;
    }
  }

  /** Returns the priority, as jobs tell it, of a blob that is used next at this position. */
  public static long ofNextUse(long position) {
    return Math.max(1, MAX_PRIORITY - (position & MAX_PRIORITY));
  }

  /** Checks a priority as jobs tell it. */
  public static void requirePriority(long priority) {
    if (priority < 0 || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority " + priority + "; it must be 0 to " + MAX_PRIORITY);
    }
  }

  /**
   * Notes a call of a job and moves the clock.
   *
   * @param released told the number of a job whose priorities must be taken back first
   */
  public void hear(RankingJob job, IntConsumer released) {
    Scale scale = scale(job.name(), released);
    scale.heard = ++calls;
    if (!job.ranksByUse()) {
      return;
    }
    boolean lost = scale.isLost(job.position());
    if (lost || scale.furthest + scale.offset < clock - SLACK_SAMPLES) {
      scale.offset = clock - scale.furthest;
      scale.placed = true;
    }
    clock = Math.max(clock, scale.furthest + scale.offset);
  }

  private Scale scale(String name, IntConsumer released) {
    @Nullable Scale known = scales.get(name);
    if (known != null) {
      return known;
    }
    if (scales.size() == MAX_JOBS) {
      scales.entrySet().stream()
          .min(Comparator.comparingLong(each -> each.getValue().heard))
          .ifPresent(longest -> release(longest.getKey(), released));
    }
    // Number 0 belongs to blobs that no job ranks.
    int number = numbers.nextClearBit(1);
    numbers.set(number);
    Scale scale = new Scale(number);
    scales.put(name, scale);
    return scale;
  }

  private void release(String name, IntConsumer released) {
    @Nullable Scale gone = scales.remove(name);
    if (gone != null) {
      numbers.clear(gone.number);
      released.accept(gone.number);
    }
  }

  /** Forgets all jobs but these, and tells the numbers of those that it forgot. */
  public void keepOnly(Collection<String> jobs, IntConsumer released) {
    List<String> gone = new ArrayList<>(scales.keySet());
    gone.removeAll(jobs);
    gone.forEach(name -> release(name, released));
  }

  /** Returns how many jobs rank. */
  public int jobs() {
    return scales.size();
  }

  /** Returns the number of a job, or 0 if it has not been heard of or was released. */
  public int number(RankingJob job) {
    @Nullable Scale scale = scales.get(job.name());
    return scale == null ? 0 : scale.number;
  }

  /**
   * Translates a priority of a job that was heard of.
   *
   * @return a priority for {@link Ranked}
   */
  public long toSpace(RankingJob job, long priority) {
    @Nullable Scale scale = scales.get(job.name());
    if (priority == 0 || scale == null) {
      return Ranked.UNKNOWN;
    }
    if (!job.ranksByUse()) {
      return priority;
    }
    // Positions count on modulo 2^32; the difference is right over half of that to either side.
    int samplesUntil = (int) (MAX_PRIORITY - priority - job.position());
    return -(scale.offset + job.position() + samplesUntil);
  }

  /** Translates a priority of the space to the scale of a job. */
  public long fromSpace(RankingJob job, long priority) {
    @Nullable Scale scale = scales.get(job.name());
    if (priority == Ranked.UNKNOWN || scale == null) {
      return 0;
    }
    if (!job.ranksByUse()) {
      return Math.clamp(priority, 1, MAX_PRIORITY);
    }
    if (priority >= 0) {
      return MAX_PRIORITY;
    }
    long samplesUntil = -priority - scale.offset - job.position();
    long near = Math.clamp(samplesUntil, Integer.MIN_VALUE, Integer.MAX_VALUE);
    return ofNextUse(Math.max(0, job.position() + near));
  }
}
