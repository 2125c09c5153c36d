package io.quiver.core.plan.allocate;

/**
 * Names somebody who is given bytes of the cache: a data set in chunks, an importance-ranked
 * working set or an access stream. All state the same kind of {@link Demand}.
 */
public sealed interface Tenant permits DatasetKey, Tenant.ImportanceKey, Tenant.StreamKey {
  /** Returns the name that plans and documents show. */
  String text();

  /**
   * The working set of all jobs that read one data set by importance (SHADE).
   *
   * @param dataset what they read
   */
  record ImportanceKey(DatasetKey dataset) implements Tenant {
    @Override
    public String text() {
      return dataset.text() + ".ranked";
    }
  }

  /**
   * An access stream of an unmodified program (IGTCache).
   *
   * @param text its name
   */
  record StreamKey(String text) implements Tenant {}
}
