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
  public Lookup {
    statuses = List.copyOf(statuses);
    failures = List.copyOf(failures);
  }

  /** Returns the status of the hash at this index. */
  public AskStatus status(int index) {
    return statuses.get(index);
  }

  /** Returns the number of hashes with this status. */
  public int count(AskStatus status) {
    return (int) statuses.stream().filter(status::equals).count();
  }
}
