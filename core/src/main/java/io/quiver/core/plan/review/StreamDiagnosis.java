package io.quiver.core.plan.review;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.Recognition;
import io.quiver.core.stream.StreamSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stream of reads of unmodified programs: how it is read, what the cache keeps of it, and why.
 *
 * @param stream its name in plans
 * @param label the path it reads; empty for those who may not see it, and for reads of no stream
 * @param pattern the pattern the plan goes by
 * @param recognition what doors recognised, with the figures of the test
 * @param space the space it has
 * @param keeper the policy of its space; null while the plan gives it no bytes
 * @param quotaBytes most bytes of it
 * @param heldBytes how many bytes servers hold of it
 * @param bytes how long all its data is, as far as doors know
 * @param plannedBytes what it is to have on disk for what that is worth, or as a trial
 * @param spareBytes what its readers have beside on disk, because nobody has a better use for it
 * @param gpusSaved GPUs saved by what it has; null while unknown
 * @param activity how it is read
 * @param doors who reads it
 * @param users their users
 * @param why the reason, in words
 */
public record StreamDiagnosis(
    String stream,
    String label,
    AccessPattern pattern,
    Recognition recognition,
    SpaceId space,
    @Nullable KeeperKind keeper,
    long quotaBytes,
    long heldBytes,
    long bytes,
    long plannedBytes,
    long spareBytes,
    @Nullable Double gpusSaved,
    Activity activity,
    List<String> doors,
    List<String> users,
    String why) {
  /** Keeps its own copies. */
  public StreamDiagnosis {
    doors = List.copyOf(doors);
    users = List.copyOf(users);
  }

  /**
   * The reads of a stream.
   *
   * @param readsPerSecond how many blocks its programs read in a second
   * @param storeShare the share of them that waited for the store
   * @param cacheSeconds the time of a read that the cache answers; 0 if unknown
   * @param storeSeconds the time of a read that the store answers; 0 if unknown
   * @param idleSeconds the time since the last read
   * @param leaseSeconds the time without reads after which its bytes are free
   * @param advised how many blocks were advised to be read ahead
   * @param used how many of these a program has read since
   */
  public record Activity(
      double readsPerSecond,
      double storeShare,
      double cacheSeconds,
      double storeSeconds,
      double idleSeconds,
      double leaseSeconds,
      long advised,
      long used) {
    static Activity of(StreamSummary summary, double leaseSeconds) {
      return new Activity(
          summary.readsPerSecond(),
          summary.storeShare(),
          summary.cacheSeconds(),
          summary.storeSeconds(),
          summary.idleSeconds(),
          leaseSeconds,
          summary.advised(),
          summary.used());
    }
  }
}
