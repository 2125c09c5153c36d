package io.quiver.gateway.mount.fuse;

/**
 * Settings of a connection to the kernel.
 *
 * @param threads the most requests answered at a time
 * @param missingNanos how long the kernel may take a name to be missing that was not found
 */
public record FuseSettings(int threads, long missingNanos) {
  /** Checks the bounds. */
  public FuseSettings {
    if (threads < 1 || threads > 1024 || missingNanos < 0) {
      throw new IllegalArgumentException(
          threads
              + " threads, names missing for "
              + missingNanos
              + " ns; use 1 to 1024, 0 or more");
    }
  }
}
