package io.quiver.remote;

import java.time.Duration;
import java.util.Map;

/**
 * How long a store may take before a call fails.
 *
 * @param connect to establish a connection
 * @param read without a single byte arriving, including the wait for an answer to begin
 * @param call for a whole call with all its retries: listing one page, a stat, a read into a
 *     buffer, the opening of a stream. A stream that is being read is bounded by {@code read}
 *     between bytes and by {@code call} for each time it has to be resumed.
 */
public record Timeouts(Duration connect, Duration read, Duration call) {
  /** Ten seconds to connect, thirty without a byte, two minutes in all. */
  public static final Timeouts DEFAULT =
      new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(2));

  public Timeouts {
    Map.of("connect", connect, "read", read, "call", call)
        .forEach((name, value) -> {
          if (!value.isPositive()) {
            throw new IllegalArgumentException(
                "the " + name + " timeout must be positive, not " + value);
          }
        });
  }
}
