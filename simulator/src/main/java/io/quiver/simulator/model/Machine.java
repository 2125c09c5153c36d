package io.quiver.simulator.model;

import io.quiver.simulator.engine.Engine;

/** A machine's network card: a link for incoming bytes and one for outgoing ones. */
public final class Machine {
  private final String name;
  private final Link in;
  private final Link out;

  /** Makes a machine whose card sends and receives at this rate, both at the same time. */
  public Machine(Engine engine, String name, double bytesPerSecond, long latencyNanos) {
    this.name = name;
    this.in = new Link(engine, name + "/in", bytesPerSecond, 0);
    this.out = new Link(engine, name + "/out", bytesPerSecond, latencyNanos);
  }

  /** Returns its name. */
  public String name() {
    return name;
  }

  /** Returns the time of a question to another machine and its answer. */
  public long roundTripNanos() {
    return 2 * out.latencyNanos();
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
