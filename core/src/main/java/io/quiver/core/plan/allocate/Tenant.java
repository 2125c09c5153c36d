package io.quiver.core.plan.allocate;

/**
 * Names somebody who is given bytes of the cache: a data set in chunks, an importance-ranked
 * working set or an access stream. All state the same kind of {@link Demand}.
 */
public sealed interface Tenant permits DatasetKey, Tenant.ImportanceKey, Tenant.StreamKey {
  /** Returns the name that plans and documents show. */
  String text();

  /**
   * The working set of jobs that read one data set by importance (SHADE).
   *
   * @param dataset what they read
   * @param group which jobs share a list
   */
  record ImportanceKey(DatasetKey dataset, String group) implements Tenant {
    @Override
    public String text() {
      return dataset.text() + "." + group;
    }
  }

  /**
   * An access stream of an unmodified program (IGTCache).
   *
   * @param text its name
   */
  record StreamKey(String text) implements Tenant {}
}
