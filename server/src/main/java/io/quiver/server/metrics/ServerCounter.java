package io.quiver.server.metrics;

import java.util.Locale;

/**
 * Every plain counter of a cache server, with its name and meaning in the metrics. Counters by
 * endpoint are in {@link EndpointMetrics}; those that belong to one job or one space get labels of
 * their own beside these.
 */
public enum ServerCounter {
  /** Connections taken. */
  CONNECTIONS_ACCEPTED("connections_accepted_total", "Connections taken."),
  /** Connections beyond the bound. */
  CONNECTIONS_TURNED_AWAY(
      "connections_turned_away_total", "Connections answered 503 because there were too many."),
  /** Connections whose patience ran out. */
  CONNECTIONS_CUT(
      "connections_cut_total", "Connections cut because they stood still for too long."),
  /** Requests that could not be parsed. */
  REQUESTS_MALFORMED("requests_malformed_total", "Requests whose head could not be understood."),
  /** Bodies received. */
  RECEIVED_BYTES("received_bytes_total", "Bytes of request bodies received."),
  /** Bodies sent. */
  SENT_BYTES("sent_bytes_total", "Bytes of answer bodies sent."),
  /** Hashes found. */
  HITS("hits_total", "Hashes asked for that were here."),
  /** Hashes not found. */
  MISSES("misses_total", "Hashes asked for that were not here."),
  /** Bytes of the hits. */
  HIT_BYTES("hit_bytes_total", "Bytes of blobs read."),
  /** Hashes that did not fit in an answer. */
  DEFERRED("deferred_total", "Hashes left for another question because the answer was full."),
  /** Claims given to the asking job. */
  CLAIMS_GRANTED("claims_granted_total", "Misses claimed by the job that asked."),
  /** Claims held by another job. */
  CLAIMS_PENDING("claims_pending_total", "Misses that another job was already fetching."),
  /** Blobs stored. */
  BLOBS_STORED("blobs_stored_total", "Blobs inserted that were new."),
  /** Blobs that were here. */
  BLOBS_ALREADY_HERE("blobs_already_here_total", "Blobs inserted that were here already."),
  /** Bytes of the blobs stored. */
  STORED_BYTES("stored_bytes_total", "Bytes of blobs inserted that were new."),
  /** Blobs refused. */
  BLOBS_REFUSED("blobs_refused_total", "Blobs offered that were not taken."),
  /** Requests over a budget. */
  OVER_BUDGET("over_budget_total", "Requests answered 429 because the server was full.");

  private static final String PREFIX = "quiver_";

  private final String name;
  private final String help;

  ServerCounter(String name, String help) {
    this.name = name;
    this.help = help;
  }

  String metric() {
    return metric(PREFIX);
  }

  /** Returns its name in the metrics with another beginning. */
  String metric(String prefix) {
    return prefix + name;
  }

  /** Returns its name in documents. */
  String field() {
    return name().toLowerCase(Locale.ROOT);
  }

  String help() {
    return help;
  }
}
