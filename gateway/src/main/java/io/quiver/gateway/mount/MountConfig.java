package io.quiver.gateway.mount;

import java.time.Duration;

/**
 * Settings of a mount.
 *
 * @param source the name that the system's list of mounts shows
 * @param freshness how long answers of the door may be believed; the door's own window comes on top
 * @param othersAllowed true if other users of this machine may read
 * @param threads the most requests answered at a time
 * @param knownEntries the most entries of listings that are remembered
 * @param openFiles the most files that are kept open for their readers
 */
public record MountConfig(
    String source,
    Duration freshness,
    boolean othersAllowed,
    int threads,
    int knownEntries,
    int openFiles) {
  private static final int THREADS = 64;
  private static final int KNOWN_ENTRIES = 100_000;
  private static final int OPEN_FILES = 1024;

  /** Checks the bounds. */
  public MountConfig {
    if (freshness.isNegative() || threads < 1 || knownEntries < 0 || openFiles < 1) {
      throw new IllegalArgumentException(
          "freshness "
              + freshness.toMillis()
              + " ms, "
              + threads
              + " threads, "
              + knownEntries
              + " entries, "
              + openFiles
              + " files: none may be negative, and at least one thread and file are needed");
    }
  }

  /** Returns settings with the usual bounds. */
  public static MountConfig of(String source, Duration freshness) {
    return new MountConfig(source, freshness, false, THREADS, KNOWN_ENTRIES, OPEN_FILES);
  }

  /** Returns these settings, with or without leave for other users to read. */
  public MountConfig withOthersAllowed(boolean allowed) {
    return new MountConfig(source, freshness, allowed, threads, knownEntries, openFiles);
  }
}
