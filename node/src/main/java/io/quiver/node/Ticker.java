package io.quiver.node;

import java.time.Duration;

/**
 * Looks at long work from the side, a few times a second, until closed: for work that counts
 * silently while somebody waits.
 */
public final class Ticker implements AutoCloseable {
  private static final Duration LONGEST_LAST_LOOK = Duration.ofSeconds(2);

  private final Thread thread;

  private Ticker(Thread thread) {
    this.thread = thread;
  }

  /** Starts to look this often. */
  public static Ticker every(Duration interval, Runnable look) {
    return new Ticker(
        Thread.ofVirtual()
            .name("ticker")
            .start(() -> {
              try {
                while (!Thread.currentThread().isInterrupted()) {
                  Thread.sleep(interval);
                  look.run();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            }));
  }

  /** Ends the looking; none happens after this returns. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(LONGEST_LAST_LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
