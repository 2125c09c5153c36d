package io.quiver.cli.command;

import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Keeps a serving process alive until Ctrl-C or SIGTERM, then stops it in bounded time.
 *
 * <p>A clean stop ends with status 0, whichever signal asked for it, so that service managers do
 * not take it for a crash.
 */
final class UntilStopped {
  private static final Duration GRACE = Duration.ofSeconds(15);

  private UntilStopped() {}

  /** A service that may end by itself. */
  @FunctionalInterface
  interface OwnEnd {
    /** Waits until the service has ended. */
    void await() throws InterruptedException;
  }

  /** Blocks for as long as the process lives. */
  static ExitCode serve(Output output, AutoCloseable served) throws Exception {
    return serve(output, served, forever());
  }

  /** Blocks until the service ends by itself or somebody stops it, and closes it. */
  static ExitCode serve(Output output, AutoCloseable served, OwnEnd end) throws Exception {
    Thread.UncaughtExceptionHandler silent = (thread, failure) -> {};
    Thread hook = new Thread(() -> stop(output, served), "stop");
    hook.setUncaughtExceptionHandler(silent);
    Runtime.getRuntime().addShutdownHook(hook);
    end.await();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // It ended because it is being stopped; the hook ends the process.
      forever().await();
    }
    served.close();
    return ExitCode.OK;
  }

  private static OwnEnd forever() {
    return new CountDownLatch(1)::await;
  }

  private static void stop(Output output, AutoCloseable served) {
    output.note("stopping…");
    boolean[] clean = new boolean[1];
    Thread closer =
        Thread.ofPlatform()
            .daemon()
            .name("close")
            .start(() -> {
              try {
                served.close();
                clean[0] = true;
              } catch (Exception e) {
                output.warning("stopped with an error: " + e.getMessage());
              }
            });
    try {
      if (closer.join(GRACE)) {
        output.note(clean[0] ? "stopped" : "stopped, not cleanly");
      } else {
        output.warning("gave up waiting after " + GRACE.toSeconds() + " s; the disks are safe");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt((clean[0] ? ExitCode.OK : ExitCode.FAILED).code());
  }
}
