package io.quiver.simulator.trace;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.JobSpeeds;

/**
 * Watches a simulation. All calls come from one thread, in the order of virtual time; a watcher
 * that does not care for something leaves the method alone. Each process of a job counts as a job
 * of its own here.
 */
public interface Trace {
  /** A data set exists. */
  default void dataset(long now, int dataset, String name, long items, boolean named) {}

  /** A server is there, with this capacity. */
  default void serverStarted(long now, int server, String name, long capacityBytes) {}

  /** A server is gone, with all that lay on it. */
  default void serverGone(long now, int server) {}

  /** A job begins. */
  default void jobStarted(long now, int job, String name, int dataset) {}

  /**
   * Processes share each epoch of a job; told before this one starts.
   *
   * @param job the process
   * @param first the number of the first of them
   * @param ranks how many they are
   */
  default void shared(long now, int job, int first, int ranks) {}

  /** A job has ended, or was killed. */
  default void jobEnded(long now, int job, boolean killed) {}

  /** A job has asked for a batch to be read. */
  default void requested(long now, int job, long request) {}

  /** All of a batch has been read. */
  default void answered(long now, int job, long request) {}

  /**
   * A job's training loop has taken a batch.
   *
   * @param items the items, or their chunks where items have no names; not to be changed or kept
   * @param stallNanos for how long the GPUs had waited for it
   */
  default void delivered(long now, int job, int epoch, int[] items, long stallNanos) {}

  /**
   * A batch has been transformed.
   *
   * @param request the number it was asked for with
   * @param began when that began
   */
  default void transformed(long now, int job, long request, long began) {}

  /** A job's GPUs have worked on a batch since a time. */
  default void computed(long now, int job, long request, long began) {}

  /**
   * A job will read this list in an epoch, instead of every item once.
   *
   * @param list items in order, repeats included; not to be changed or kept
   */
  default void listed(long now, int job, int epoch, int[] list) {}

  /** A job has finished an epoch. */
  default void epochEnded(long now, int job, int epoch) {}

  /** Items were found in the cache by a job. */
  default void hits(long now, int job, int items, long bytes) {}

  /** Items have been read from a store. */
  default void storeRead(long now, int job, int items, long bytes, boolean demand) {}

  /** Items have been stored on a server, in the space of a chunk. */
  default void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {}

  /** A chunk's items are gone from a server. */
  default void dropped(long now, int server, int dataset, int chunk, long bytes) {}

  /** A server has given up items of a chunk that belong on another server now. */
  default void gaveUp(long now, int server, int dataset, int chunk, long bytes) {}

  /** The role of a chunk on a server has changed. */
  default void roleChanged(long now, int server, int dataset, int chunk, boolean rotating) {}

  /** A job reports what it has measured of itself. */
  default void measured(long now, int job, JobSpeeds speeds) {}

  /** The manager has made a plan. */
  default void planned(long now, Plan plan) {}

  /** The simulation is over. */
  default void ended(long now) {}
}
