package io.quiver.core.plan.allocate;

import java.util.Map;

/**
 * The bytes to divide among data sets.
 *
 * @param bytes for all data sets together
 * @param quotas most bytes for the data sets that some users pay for, by user
 */
public record CacheBudget(long bytes, Map<String, Long> quotas) {
  /** Keeps its own copy. */
  public CacheBudget {
    quotas = Map.copyOf(quotas);
    bytes = Math.max(bytes, 0);
  }

  /** CacheBudget that no quota binds. */
  public static CacheBudget of(long bytes) {
    return new CacheBudget(bytes, Map.of());
  }
}
