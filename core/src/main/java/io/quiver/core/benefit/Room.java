package io.quiver.core.benefit;

import java.util.Map;

/**
 * What there is to divide.
 *
 * @param bytes for all data sets together
 * @param quotas most bytes for the data sets that some users pay for, by user
 */
public record Room(long bytes, Map<String, Long> quotas) {
  /** Keeps its own copy. */
  public Room {
    quotas = Map.copyOf(quotas);
    bytes = Math.max(bytes, 0);
  }

  /** Room that no quota binds. */
  public static Room of(long bytes) {
    return new Room(bytes, Map.of());
  }
}
