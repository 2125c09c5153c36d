package io.quiver.server.metrics;

import java.util.Locale;

/**
 * Every plain counter of a cache server, with its name and meaning in the metrics. Counters by
 * endpoint are in {@link EndpointMetrics}; those that belong to one job or one space get labels of
 * their own beside these.
 */
public enum ServerCounter {
  CONNECTIONS_ACCEPTED("connections_accepted_total", "Connections taken."),
  CONNECTIONS_TURNED_AWAY(
      "connections_turned_away_total", "Connections answered 503 because there were too many."),
  CONNECTIONS_CUT(
      "connections_cut_total", "Connections cut because they stood still for too long."),
  REQUESTS_MALFORMED("requests_malformed_total", "Requests whose head could not be understood."),
  RECEIVED_BYTES("received_bytes_total", "Bytes of request bodies received."),
  SENT_BYTES("sent_bytes_total", "Bytes of answer bodies sent."),
  HITS("hits_total", "Hashes asked for that were here."),
  MISSES("misses_total", "Hashes asked for that were not here."),
  HIT_BYTES("hit_bytes_total", "Bytes of blobs read."),
  DEFERRED("deferred_total", "Hashes left for another question because the answer was full."),
  CLAIMS_GRANTED(
      "claims_granted_total", "Misses, of blobs or names, claimed by the job that asked."),
  CLAIMS_PENDING(
      "claims_pending_total", "Misses, of blobs or names, that another job was already fetching."),
  BLOBS_STORED("blobs_stored_total", "Blobs inserted that were new."),
  BLOBS_ALREADY_HERE("blobs_already_here_total", "Blobs inserted that were here already."),
  STORED_BYTES("stored_bytes_total", "Bytes of blobs inserted that were new."),
  BLOBS_REFUSED("blobs_refused_total", "Blobs offered that were not taken."),
  BLOBS_RANKED("blobs_ranked_total", "Priorities taken for blobs that are kept."),
  NAMES_ASKED("names_asked_total", "Names asked for."),
  NAME_HITS("name_hits_total", "Names asked for that were bound."),
  NAMES_BOUND("names_bound_total", "Bindings of names that were taken."),
  NAMES_REFUSED("names_refused_total", "Bindings of names that were not taken."),
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
