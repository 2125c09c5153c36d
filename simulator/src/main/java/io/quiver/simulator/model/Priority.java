package io.quiver.simulator.model;

/** The priority of a transfer on a link. */
public enum Priority {
  /** A batch waits for it. */
  DEMAND,
  /** Nobody waits yet. It goes when the link has nothing more urgent. */
  BACKGROUND
}
