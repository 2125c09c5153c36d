package io.quiver.core.engine;

import java.time.Duration;

/**
 * Holds every constant of the reading protocol: waits, retries and shares. Java and Python are held
 * to the same values by {@code test-vectors/engine/constants.json}.
 */
public final class ReadRules {
  /**
   * A manager that answers but has no plan yet is about to make one: a job waits so long for it.
   * The Python client starts a process first, which may take seconds on a busy machine.
   */
  public static final Duration FIRST_PLAN_WAIT = Duration.ofSeconds(6);

  /** A job reports so often, and at once when something happened that a plan depends on. */
  public static final Duration REPORT_EVERY = Duration.ofSeconds(1);

  /** A manager that has not answered for so long makes no new plan to wait for. */
  public static final Duration UNREACHABLE_AFTER = Duration.ofSeconds(3);

  /** The first and the longest pause between two calls to a manager that does not answer. */
  public static final Duration FIRST_MANAGER_PAUSE = Duration.ofMillis(50);

  public static final Duration LONGEST_MANAGER_PAUSE = Duration.ofSeconds(2);

  /** A job that may not draw looks again after so long at the latest. */
  public static final Duration DRAW_AGAIN_AFTER = Duration.ofMillis(20);

  /** A job without anything cached to read waits at most so long for the ring to turn. */
  public static final Duration RING_WAIT = Duration.ofMillis(600);

  /** The first and the longest pause before an item that another job fetches is asked for again. */
  public static final Duration FIRST_PENDING_PAUSE = Duration.ofMillis(5);

  public static final Duration LONGEST_PENDING_PAUSE = Duration.ofMillis(20);

  /**
   * The longest wait for an item that another job has claimed, longer than a claim lasts: a job
   * that still waits then has had its chance to claim the item itself. See {@link ClaimPatience}.
   */
  public static final Duration PENDING_WAIT = Duration.ofSeconds(6);

  public static final Duration SHORTEST_PENDING_WAIT = Duration.ofMillis(50);

  public static final Duration PATIENCE_DOUBLES_AFTER = Duration.ofSeconds(10);

  /** A job has so many reads from the store under way at once, and so many of them to preload. */
  public static final int STORE_READS = 16;

  public static final int PRELOAD_READS = 8;

  /** A read from the store that ends in a failure or in wrong bytes is tried so often in all. */
  public static final int STORE_ATTEMPTS = 2;

  /** While batches wait for the store, one of so many reads brings a chunk in. */
  public static final int PRELOAD_EVERY = 16;

  /** So many lots of items may be claimed for a chunk and not be in the cache yet. */
  public static final int PRELOAD_LOTS = 3;

  /** At most so many items are looked up in one question about a chunk. */
  public static final int PRELOAD_LOOK = 256;

  /** Items that other jobs fetch are looked for again after so long, plus a little for each. */
  public static final Duration LOOK_AGAIN = Duration.ofMillis(4);

  public static final Duration LOOK_AGAIN_EACH = Duration.ofNanos(200_000);

  /** After so long without any progress, what other jobs fetch is claimed anew. */
  public static final Duration PRELOAD_STUCK = Duration.ofMillis(500);

  /** After a question that a server did not answer, chunks are left alone for so long. */
  public static final Duration PRELOAD_TROUBLE = Duration.ofMillis(200);

  /** A preloader with nothing to do looks at its plan again after so long. */
  public static final Duration PRELOAD_NAP = Duration.ofSeconds(1);

  /** One insert has at most so many items and bytes; an item longer than that goes alone. */
  public static final int INSERT_ITEMS = 64;

  public static final long INSERT_BYTES = 4L << 20;

  /** At most so many bytes wait to be inserted; what does not fit is not inserted. */
  public static final long INSERT_QUEUE_BYTES = 128L << 20;

  /**
   * An item is offered so often in all to a server that has not heard of the plan. Each time the
   * server waits a second for the plan, so it may hear of it as late as its lease allows.
   */
  public static final int INSERT_ATTEMPTS = 5;

  /** An item waits so long for others to be inserted with it. */
  public static final Duration INSERT_LINGER = Duration.ofMillis(5);

  /** Sampled verification hashes the first so many blobs of a server, then one of so many. */
  public static final int HASHED_FIRST = 64;

  public static final int HASHED_EVERY = 64;

  private ReadRules() {}
}
