package io.quiver.core.stream;

import io.quiver.core.bound.Bounds;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One door's view of one stream that may own a quota, as its heartbeat carries it. Durations, never
 * times of day: clocks jump.
 *
 * @param key the stream's hashed name, the same at all doors
 * @param label its path, for its owner and for operators only
 * @param recognition what the door recognised, after two windows agreed
 * @param windows how many windows the door has analysed
 * @param items how many items it has, or how many were seen; of the lowest level, blocks or files
 * @param bytes how long all its items are together, as far as can be told
 * @param readers how many readers it has lately
 * @param readsPerSecond how many blocks its programs read in a second
 * @param storeShare the share of those reads that waited for the store
 * @param cacheSeconds the time of a read that the cache or the door's memory answers; 0 if unknown
 * @param storeSeconds the time of a read that the store answers; 0 if unknown
 * @param idleSeconds the time since its last read
 * @param leaseSeconds the time without reads after which its programs have probably ended
 * @param quietSeconds the same without the base that guards against short pauses
 * @param followBytes the bytes between two readers of which one follows the other closely; 0 if
 *     none does
 * @param advised how many blocks were advised to be read ahead
 * @param used how many of these a program has read since
 * @param window its latest reads, if they were not reported before
 * @param dataset the key of the data set whose items all its objects are, where the door knows the
 *     digest: then the stream is a job of that data set; null otherwise
 */
public record StreamSummary(
    String key,
    String label,
    Recognition recognition,
    long windows,
    long items,
    long bytes,
    int readers,
    double readsPerSecond,
    double storeShare,
    double cacheSeconds,
    double storeSeconds,
    double idleSeconds,
    double leaseSeconds,
    double quietSeconds,
    long followBytes,
    long advised,
    long used,
    @Nullable StreamWindow window,
    @Nullable String dataset) {
  private static final int LONGEST_LABEL = 4096;
  static final Pattern KEY = Pattern.compile("[0-9a-f]{16,64}");
  private static final Pattern DATASET = Pattern.compile("[0-9a-f]{16}");
  private static final double MOST_READS = 1e9;

  /** Refuses what cannot be. */
  public StreamSummary {
    Bounds.matching("the key of a stream", key, KEY, "16 to 64 hex digits");
    label = Bounds.textOrEmpty("label", label, LONGEST_LABEL);
    Bounds.present("recognition", recognition);
    Bounds.whole("windows", windows, 0, Bounds.MAX_COUNT);
    Bounds.whole("items", items, 0, Bounds.MAX_COUNT);
    Bounds.whole("bytes", bytes, 0, Bounds.MAX_BYTES);
    Bounds.whole("readers", readers, 0, Integer.MAX_VALUE);
    Bounds.number("reads_per_second", readsPerSecond, 0, MOST_READS);
    Bounds.number("store_share", storeShare, 0, 1);
    Bounds.measured("cache_seconds", cacheSeconds);
    Bounds.measured("store_seconds", storeSeconds);
    Bounds.number("idle_seconds", idleSeconds, 0, Bounds.MAX_SECONDS);
    Bounds.number("lease_seconds", leaseSeconds, 0, Bounds.MAX_SECONDS);
    Bounds.number("quiet_seconds", quietSeconds, 0, Bounds.MAX_SECONDS);
    Bounds.whole("follow_bytes", followBytes, 0, Bounds.MAX_BYTES);
    Bounds.whole("advised", advised, 0, Bounds.MAX_COUNT);
    Bounds.whole("used", used, 0, Bounds.MAX_COUNT);
    if (window != null) {
      requireSent(window);
    }
    if (dataset != null) {
      Bounds.matching("dataset", dataset, DATASET, "16 hex digits");
    }
  }

  private static void requireSent(StreamWindow window) {
    Bounds.whole("the length of indices", window.size(), 0, StreamWindow.MOST_SENT);
    for (int read = 0; read < window.size(); read++) {
      Bounds.whole("a value in indices", window.indices()[read], 0, Integer.MAX_VALUE);
      Bounds.whole("a value in readers", window.readers()[read], 0, Integer.MAX_VALUE);
      Bounds.whole("a value in ages_millis", window.agesMillis()[read], 0, Integer.MAX_VALUE);
    }
  }

  /** Makes the summary of a stream over objects of which no digest is known. */
  public StreamSummary(
      String key,
      String label,
      Recognition recognition,
      long windows,
      long items,
      long bytes,
      int readers,
      double readsPerSecond,
      double storeShare,
      double cacheSeconds,
      double storeSeconds,
      double idleSeconds,
      double leaseSeconds,
      double quietSeconds,
      long followBytes,
      long advised,
      long used,
      @Nullable StreamWindow window) {
    this(
        key,
        label,
        recognition,
        windows,
        items,
        bytes,
        readers,
        readsPerSecond,
        storeShare,
        cacheSeconds,
        storeSeconds,
        idleSeconds,
        leaseSeconds,
        quietSeconds,
        followBytes,
        advised,
        used,
        window,
        null);
  }

  /** Returns the label of a path: cut where it is too long, without control characters. */
  public static String label(String path) {
    String shown =
        path.length() <= LONGEST_LABEL ? path : path.substring(0, LONGEST_LABEL - 1) + "…";
    boolean plain = shown.chars().noneMatch(Character::isISOControl);
    return plain ? shown : shown.replaceAll("\\p{Cntrl}|[\\x80-\\x9f]", "?");
  }

  /** Returns a copy with another label. */
  public StreamSummary labelled(String other) {
    return copy(other, recognition, idleSeconds, window, dataset);
  }

  /** Returns a copy whose objects are items of a data set; null for none. */
  public StreamSummary ofDataset(@Nullable String other) {
    return copy(label, recognition, idleSeconds, window, other);
  }

  /** Returns a copy for those who may not see its path. */
  public StreamSummary withoutLabel() {
    return copy("", recognition, idleSeconds, window, dataset);
  }

  /** Returns a copy with another recognition, and with other latest reads. */
  public StreamSummary recognized(Recognition other, @Nullable StreamWindow reads) {
    return copy(label, other, idleSeconds, reads, dataset);
  }

  /** Returns a copy as of so many seconds later, without reads in between. */
  public StreamSummary after(double seconds) {
    return copy(
        label,
        recognition,
        Math.min(Bounds.MAX_SECONDS, idleSeconds + seconds),
        window == null ? null : window.after(seconds),
        dataset);
  }

  private StreamSummary copy(
      String otherLabel,
      Recognition told,
      double idle,
      @Nullable StreamWindow reads,
      @Nullable String otherDataset) {
    return new StreamSummary(
        key,
        otherLabel,
        told,
        windows,
        items,
        bytes,
        readers,
        readsPerSecond,
        storeShare,
        cacheSeconds,
        storeSeconds,
        idle,
        leaseSeconds,
        quietSeconds,
        followBytes,
        advised,
        used,
        reads,
        otherDataset);
  }
}
