package io.quiver.core.plan.stream;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.UnreadCurve;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.PathPreference;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamSummary;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A recognised stream with everything that is decided about it before bytes are divided.
 *
 * @param stream what doors see of it
 * @param order the decision about its pattern, without bytes
 * @param activity whether its programs still read
 * @param preference the operators' preference for its path
 * @param leaseSeconds the time without reads after which its bytes are free for others
 */
public record TrackedStream(
    ObservedStream stream,
    StreamOrder order,
    Activity activity,
    CachePreference preference,
    double leaseSeconds) {
  /** Steps of the curve of a stream. */
  static final int STEPS = 32;

  /** Bytes of what lies between two readers of which one follows, and as much again in reserve. */
  private static final long FOLLOW_RESERVE = 2;

  /** Doors read the store in blocks of 4 MiB unless they are told otherwise. */
  private static final long BLOCK_BYTES = 4L << 20;

  /**
   * A stream is read as long as its last read is not older than this: doors report once a second,
   * and programs pause between two files or epochs.
   */
  private static final double LEAST_QUIET_SECONDS = 5;

  /** The states of a stream by the time since its last read. */
  public enum Activity {
    /** Its programs read, or did until a moment ago. */
    READING,
    /** Nobody reads it: it keeps what nobody else needs. */
    QUIET,
    /** Its programs have ended by all that is known. */
    LAPSED
  }

  static TrackedStream of(
      ObservedStream stream, @Nullable StreamOrder before, CachePreferences preferences, long now) {
    StreamSummary summary = stream.summary();
    PathPreference wanted = preferences.ofPath(summary.label());
    double lease = wanted.leaseSeconds(summary.leaseSeconds());
    double idle = summary.idleSeconds();
    Activity activity =
        idle > lease
            ? Activity.LAPSED
            : idle > Math.max(LEAST_QUIET_SECONDS, summary.quietSeconds())
                ? Activity.QUIET
                : Activity.READING;
    AccessPattern told = summary.recognition().pattern();
    StreamOrder order = StreamOrder.next(before, summary.key(), told, now);
    return new TrackedStream(stream, order, activity, wanted.preference(), lease);
  }

  StreamSummary summary() {
    return stream.summary();
  }

  /** Returns a copy that is a job of a data set. */
  TrackedStream ofDataset(DatasetKey dataset) {
    return new TrackedStream(stream, order.ofDataset(dataset), activity, preference, leaseSeconds);
  }

  boolean isRead() {
    return activity == Activity.READING;
  }

  boolean isPinned() {
    return preference == CachePreference.PIN;
  }

  boolean isVetoed() {
    return preference == CachePreference.NEVER;
  }

  /** Returns true if it asks for bytes, or may at least keep its own. */
  boolean claims() {
    return isPinned() || activity != Activity.LAPSED;
  }

  /** Returns true if bytes could ever make a difference to it. */
  boolean canUseBytes() {
    return !isVetoed() && diskBytes() > 0;
  }

  /** Returns the bytes on disk of all that it could use. */
  long diskBytes() {
    long bytes =
        order.pattern() == AccessPattern.SEQUENTIAL
            ? FOLLOW_RESERVE * summary().followBytes()
            : summary().bytes();
    return StreamOrder.onDisk(order.keeper(), coarse(bytes));
  }

  /** Returns a number of bytes rounded up coarsely: a plan must not follow every read. */
  private static long coarse(long bytes) {
    long step = Math.max(1, Long.highestOneBit(Math.max(1, bytes)) / 8);
    return (bytes + step - 1) / step * step;
  }

  /**
   * Returns the curve of its reads.
   *
   * @param counts the counts of its keepers on all servers
   */
  UnreadCurve curve(KeeperCounts counts) {
    return switch (order.pattern()) {
      case RANDOM -> UnreadCurve.random(STEPS);
      case SKEWED, UNKNOWN ->
          StreamCurves.skewed(
              STEPS, StreamOrder.kept(order.keeper(), diskBytes()), summary().storeShare(), counts);
      case SEQUENTIAL -> followers(summary());
    };
  }

  /** Returns the curve of readers of whom all but the first find what the one before has read. */
  private static UnreadCurve followers(StreamSummary summary) {
    int readers = Math.max(2, summary.readers());
    return summary.followBytes() == 0
        ? UnreadCurve.sequential(1)
        : UnreadCurve.skewed(new long[] {0, readers - 1}, readers);
  }

  /** Returns the speed of its programs, per read; empty while nobody reads or it is unknown. */
  public Optional<JobSpeed> speed() {
    StreamSummary summary = summary();
    return isRead()
        ? ReadSpeed.of(
            summary.key(),
            new ReadSpeed.Measured(
                    summary.readsPerSecond(),
                    summary.storeShare(),
                    summary.cacheSeconds(),
                    summary.storeSeconds())
                .guessed())
        : Optional.empty();
  }

  /** Returns the bytes that programs read in a second; an item may be a file of many blocks. */
  public double bytesPerSecond() {
    StreamSummary summary = summary();
    double itemBytes = (double) summary.bytes() / Math.max(1, summary.items());
    return isRead() ? summary.readsPerSecond() * Math.min(itemBytes, BLOCK_BYTES) : 0;
  }
}
