package io.quiver.client;

import io.quiver.protocol.AskStatus;
import java.time.Duration;
import java.util.List;

/**
 * The answer to a lookup.
 *
 * @param statuses one for each hash, in the order asked; the hashes of a failed server are misses
 * @param claimLease how long the claims granted hold, zero when none was granted
 * @param failures servers that had no part in the answer, and why
 */
public record Lookup(List<AskStatus> statuses, Duration claimLease, List<ServerFailure> failures) {
  /** Keeps its own copies of the lists. */
  public Lookup {
    statuses = List.copyOf(statuses);
    failures = List.copyOf(failures);
  }

  /** What became of the hash at this place. */
  public AskStatus status(int index) {
    return statuses.get(index);
  }

  /** How many have this status. */
  public int count(AskStatus status) {
    return (int) statuses.stream().filter(status::equals).count();
  }
}
