package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.stream.StreamSummary;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A door's report in a heartbeat. Durations, never times of day: clocks jump.
 *
 * @param door its name, unique among the doors that run
 * @param instance chosen at random when it started; a secret, as a job's is
 * @param sequence grows with every report, so that an overtaken one is recognised
 * @param user whose it is; empty when it does not say
 * @param bytes how long the blocks of no stream are together that its programs read lately; 0 while
 *     unknown. All figures that follow are of such blocks
 * @param readsPerSecond how many blocks its programs read in a second
 * @param storeShare the share of those reads that went to the store
 * @param cacheSeconds the time of a read that the cache answers; 0 while unknown
 * @param storeSeconds the time of a read that the store answers; 0 while unknown
 * @param planVersion the plan it acts upon; 0 for none
 * @param leaving whether this is its last report
 * @param streams the streams that it has recognised; older doors name none
 */
public record DoorReport(
    String door,
    String instance,
    long sequence,
    String user,
    long bytes,
    double readsPerSecond,
    double storeShare,
    double cacheSeconds,
    double storeSeconds,
    long planVersion,
    boolean leaving,
    List<StreamSummary> streams) {
  /** Most streams in a report. */
  public static final int MOST_STREAMS = 256;

  private static final int MAX_USER = 128;
  private static final double MOST_READS = 1e9;

  /** Refuses what cannot be. */
  public DoorReport {
    Bounds.name("door", door);
    Bounds.secret("instance", instance);
    Bounds.whole("sequence", sequence, 0, Bounds.MAX_COUNT);
    user = Bounds.textOrEmpty("user", user, MAX_USER);
    Bounds.whole("bytes", bytes, 0, Bounds.MAX_BYTES);
    Bounds.number("reads_per_second", readsPerSecond, 0, MOST_READS);
    Bounds.number("store_share", storeShare, 0, 1);
    Bounds.measured("cache_seconds", cacheSeconds);
    Bounds.measured("store_seconds", storeSeconds);
    Bounds.whole("plan_version", planVersion, 0, Bounds.MAX_COUNT);
    streams = streams(streams);
  }

  private static List<StreamSummary> streams(@Nullable List<StreamSummary> told) {
    return Bounds.list("streams", Objects.requireNonNullElse(told, List.of()), MOST_STREAMS);
  }

  /** Makes the report of a door that has recognised no stream. */
  public DoorReport(
      String door,
      String instance,
      long sequence,
      String user,
      long bytes,
      double readsPerSecond,
      double storeShare,
      double cacheSeconds,
      double storeSeconds,
      long planVersion,
      boolean leaving) {
    this(
        door,
        instance,
        sequence,
        user,
        bytes,
        readsPerSecond,
        storeShare,
        cacheSeconds,
        storeSeconds,
        planVersion,
        leaving,
        List.of());
  }

  /** Returns a copy with these streams. */
  public DoorReport withStreams(List<StreamSummary> others) {
    return new DoorReport(
        door,
        instance,
        sequence,
        user,
        bytes,
        readsPerSecond,
        storeShare,
        cacheSeconds,
        storeSeconds,
        planVersion,
        leaving,
        others);
  }

  /** Returns a copy without the reads that its streams tell. */
  public DoorReport withoutReads() {
    return withStreams(
        streams.stream().map(each -> each.recognized(each.recognition(), null)).toList());
  }

  /**
   * Returns a copy for everybody to see; who knows the instance may report in its name, and paths
   * are their owner's business.
   */
  public DoorReport withoutSecret() {
    return new DoorReport(
        door,
        Bounds.fingerprint(instance),
        sequence,
        user,
        bytes,
        readsPerSecond,
        storeShare,
        cacheSeconds,
        storeSeconds,
        planVersion,
        leaving,
        streams.stream().map(StreamSummary::withoutLabel).toList());
  }
}
