package io.quiver.simulator.scenario;

/** Something that happens to the cluster at a certain time. */
public sealed interface Incident {
  /** Returns when. */
  long atNanos();

  /** A job is gone without a word. */
  record JobKilled(long atNanos, String job) implements Incident {}

  /** A server is gone with everything on it. */
  record ServerKilled(long atNanos, String server) implements Incident {}

  /** A server joins, empty. */
  record ServerJoined(long atNanos, ServerSpec server) implements Incident {}

  /** The manager is gone with everything it knew. */
  record ManagerKilled(long atNanos) implements Incident {}

  /** A manager begins, knowing nothing. */
  record ManagerStarted(long atNanos) implements Incident {}
}
