package io.quiver.cli.demo.run;

/** Told how a run comes along, several times a second. Must be quick and must not throw. */
public interface RunWatcher {
  /** The cache is being filled before the clock runs. */
  void filled(int items, int all);

  /** The jobs are running. */
  void running(DemoMode mode, Moment now);
}
