package io.quiver.simulator.engine;

/**
 * Something that events happen to. One object serves any number of events, told apart by a number,
 * so that an event needs no object of its own.
 */
@FunctionalInterface
public interface Handler {
  /**
   * The event's time has come.
   *
   * @param what the number that was given when it was scheduled
   */
  void happen(long what);
}
