package io.quiver.simulator.scenario;

/** A scenario that cannot be simulated: says where it is wrong and what to do about it. */
public final class ScenarioException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String file;
  private final int line;

  ScenarioException(String file, int line, String problem) {
    super(file + ":" + line + ": " + problem);
    this.file = file;
    this.line = line;
  }

  /** Returns the file, or how the scenario was named. */
  public String file() {
    return file;
  }

  /** Returns the line in it, from 1. */
  public int line() {
    return line;
  }
}
