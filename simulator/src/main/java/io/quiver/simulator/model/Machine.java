package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;

/** A machine's place in the network: what it can send and what it can receive at a time. */
public final class Machine {
  private final String name;
  private final Link in;
  private final Link out;

  /** A machine whose card sends and receives at this rate, both at the same time. */
  public Machine(Engine engine, String name, double bytesPerSecond, long latencyNanos) {
    this.name = name;
    this.in = new Link(engine, name + "/in", bytesPerSecond, 0);
    this.out = new Link(engine, name + "/out", bytesPerSecond, latencyNanos);
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** Returns the link of incoming bytes. */
  public Link in() {
    return in;
  }

  /** Returns the link of outgoing bytes. */
  public Link out() {
    return out;
  }

  @Override
  public String toString() {
    return name;
  }
}
