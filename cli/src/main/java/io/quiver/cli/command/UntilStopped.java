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

  /** Blocks for as long as the process lives. */
  static ExitCode serve(Output output, AutoCloseable served) throws InterruptedException {
    Thread.UncaughtExceptionHandler silent = (thread, failure) -> {};
    Thread hook = new Thread(() -> stop(output, served), "stop");
    hook.setUncaughtExceptionHandler(silent);
    Runtime.getRuntime().addShutdownHook(hook);
    new CountDownLatch(1).await();
    return ExitCode.OK;
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
