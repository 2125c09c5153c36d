package io.quiver.simulator.engine;

/**
 * The clock of a simulation, and what happens when. Time is in nanoseconds from the beginning and
 * moves only from one event to the next. One thread, no wall clock, ties in the order of
 * scheduling: the same schedule gives the same run.
 */
public final class Engine {
  private static final long PRIME = 0x100000001b3L;
  private static final long OFFSET = 0xcbf29ce484222325L;

  private final EventQueue queue = new EventQueue();
  private long now;
  private long events;
  private long fingerprint = OFFSET;
  private boolean stopped;

  /** The time. */
  public long now() {
    return now;
  }

  /** Returns the number of events so far. */
  public long events() {
    return events;
  }

  /** A hash over the times and the order of all events so far: equal for equal runs. */
  public long fingerprint() {
    return fingerprint;
  }

  /** Schedules an event for a time that is not over. */
  public void at(long time, Handler handler, long what) {
    if (time < now) {
      throw new IllegalArgumentException("an event at " + time + " ns when it is " + now + " ns");
    }
    queue.add(time, handler, what);
  }

  /** Schedules an event for some time from now. */
  public void after(long nanos, Handler handler, long what) {
    at(Math.addExact(now, nanos), handler, what);
  }

  /** Lets no further event happen. */
  public void stop() {
    stopped = true;
  }

  /**
   * Lets events happen until there are none, somebody stops it, or this time is reached.
   *
   * @return whether it ended before that time
   */
  public boolean run(long until) {
    while (!stopped && queue.size() > 0) {
      if (queue.firstTime() > until) {
        return false;
      }
      step();
    }
    return true;
  }

  private void step() {
    now = queue.firstTime();
    long what = queue.firstWhat();
    fingerprint = (fingerprint ^ now) * PRIME;
    fingerprint = (fingerprint ^ queue.firstNumber()) * PRIME;
    fingerprint ^= fingerprint >>> 29;
    Handler handler = queue.firstHandler();
    queue.removeFirst();
    events++;
    handler.happen(what);
  }
}
