package io.quiver.client;

import java.util.List;

/**
 * The answer to new priorities.
 *
 * @param kept how many of the ranked blobs are kept
 * @param lowest the lowest priority that the space keeps, the least of all servers; 0 where one
 *     takes any blob
 * @param failures servers that took no priorities, and why
 */
public record RankAnswer(int kept, long lowest, List<ServerFailure> failures) {
  public RankAnswer {
    failures = List.copyOf(failures);
  }
}
