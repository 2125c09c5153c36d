package io.quiver.server.metrics;

import java.util.Locale;

/** The calls a server answers, as its metrics tell them apart. */
public enum Endpoint {
  /** Batch read. */
  GET,
  /** Batch question without payloads. */
  LOOKUP,
  /** Batch insert. */
  PUT,
  /** One blob read by its hash. */
  READ,
  /** One blob inserted under its hash. */
  INSERT,
  /** The list of spaces. */
  SPACES,
  /** A plan of spaces. */
  PLAN,
  /** A space dropped. */
  DROP,
  /** The status document. */
  STATUS,
  /** The counters as a document. */
  COUNTERS,
  /** The liveness probe. */
  HEALTH,
  /** The metrics themselves. */
  METRICS,
  /** Anything that is not served here. */
  OTHER;

  /** Its label in the metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
