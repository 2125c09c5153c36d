package io.quiver.simulator.scenario;

/** From the units of scenario files to bytes and nanoseconds. Powers of ten, as stores are sold. */
final class Units {
  static final double MEGA = 1e6;
  static final double GIGA = 1e9;
  private static final double SECOND = 1e9;
  private static final double MILLI = 1e6;

  /** More is no rate of this world. */
  static final double MAX_MEGABYTES_PER_SECOND = 1e9;

  /** More is no length of this world. */
  static final double MAX_GIGABYTES = 1e9;

  /** Longer than anybody simulates. */
  static final double MAX_SECONDS = 1e8;

  private Units() {}

  static long seconds(double seconds) {
    return Math.round(seconds * SECOND);
  }

  static long millis(double millis) {
    return Math.round(millis * MILLI);
  }
}
