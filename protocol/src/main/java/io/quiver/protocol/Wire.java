package io.quiver.protocol;

import io.quiver.core.keep.PriorityScales;

/** Names that both ends of the wire must spell alike. */
public final class Wire {
  /** Batch read, any k of n. */
  public static final String GET_PATH = "/v1/blobs/get";

  /** Looks hashes up without the payloads; may claim what is missing. */
  public static final String LOOKUP_PATH = "/v1/blobs/lookup";

  /** New priorities for blobs of a ranked space. */
  public static final String RANK_PATH = "/v1/blobs/rank";

  /** Batch insert; followed by {@code /} and a hash it names one blob. */
  public static final String BLOBS_PATH = "/v1/blobs";

  /** Binds names of blocks to blobs. */
  public static final String NAMES_PATH = "/v1/names";

  /** Looks up the blobs that names are bound to; may claim what is not bound. */
  public static final String RESOLVE_PATH = "/v1/names/resolve";

  /**
   * Occupancy of every space, and which there shall be; followed by {@code /} and a name, one
   * space.
   */
  public static final String SPACES_PATH = "/v1/spaces";

  /** Counters of the server, its jobs, data sets and spaces, as JSON. */
  public static final String COUNTERS_PATH = "/v1/counters";

  /** The path of the server's state and health, as JSON. */
  public static final String STATUS_PATH = "/v1/status";

  /** Liveness. */
  public static final String HEALTH_PATH = "/healthz";

  /** Counters in Prometheus' text format. */
  public static final String METRICS_PATH = "/metrics";

  /** Content type of every binary frame. */
  public static final String FRAME_TYPE = "application/vnd.quiver.frame";

  /**
   * Names the asking job, the holder of claims. At most {@link #MAX_JOB_LENGTH} printable
   * characters.
   */
  public static final String JOB_HEADER = "Quiver-Job";

  /** Names the data set of a request, for the server's counters. */
  public static final String DATASET_HEADER = "Quiver-Dataset";

  /** On an insert: the version of the plan that made its spaces. */
  public static final String PLAN_HEADER = "Quiver-Plan";

  /**
   * On inserts and rankings: the job whose priorities these are, a distributed job's group. Without
   * it they belong to the job of {@link #JOB_HEADER}.
   */
  public static final String RANKING_JOB_HEADER = "Quiver-Ranking-Job";

  /**
   * On inserts and rankings: how many samples the ranking job has read so far, over all its ranks.
   * With it priorities are next uses, without it they are scores.
   */
  public static final String POSITION_HEADER = "Quiver-Position";

  /** On an answer that granted claims: how long they hold, in milliseconds. */
  public static final String CLAIM_LEASE_HEADER = "Quiver-Claim-Lease-Ms";

  /** Longest job name. */
  public static final int MAX_JOB_LENGTH = 128;

  /** The highest priority on the wire; 0 stands for none. */
  public static final long MAX_PRIORITY = PriorityScales.MAX_PRIORITY;

  /** Most hashes, parts or names in one question, and most blobs or bindings in one offer. */
  public static final int MAX_BATCH = 16_384;

  /** Longest blob a server takes unless told otherwise. */
  public static final long DEFAULT_MAX_BLOB_BYTES = 256L << 20;

  private Wire() {}
}
