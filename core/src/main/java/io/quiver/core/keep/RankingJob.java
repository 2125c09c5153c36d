package io.quiver.core.keep;

/**
 * A job that ranks the blobs of a space, as one of its calls tells.
 *
 * @param name the name that all processes of the job share
 * @param position how many samples the job has read so far, over all its ranks: its priorities are
 *     then next uses; {@link #NO_POSITION} if they are scores
 */
public record RankingJob(String name, long position) {
  /** Position of a job whose priorities are scores. */
  public static final long NO_POSITION = -1;

  /** The largest position. */
  public static final long MAX_POSITION = 1L << 53;

  /** Checks the position. */
  public RankingJob {
    if (position < NO_POSITION || position > MAX_POSITION) {
      throw new IllegalArgumentException(
          "position " + position + " of a ranking job; it must be 0 to " + MAX_POSITION);
    }
  }

  /** Returns true if the priorities of this call are next uses. */
  boolean ranksByUse() {
    return position != NO_POSITION;
  }
}
