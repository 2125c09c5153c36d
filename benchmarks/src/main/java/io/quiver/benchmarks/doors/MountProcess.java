package io.quiver.benchmarks.doors;

import io.quiver.gateway.mount.Mount;
import io.quiver.gateway.mount.MountConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Our mount over a door that answers from memory: the cost of the mount alone.
 *
 * <p>Arguments as for {@link JfuseProcess}.
 */
public final class MountProcess {
  private static final Duration FRESHNESS = Duration.ofSeconds(60);

  private MountProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]);
    MadeFiles files = new MadeFiles(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
    MountConfig config = MountConfig.of("bare", FRESHNESS);
    try (MemoryDoor door = new MemoryDoor(files);
        Mount _ = Mount.open(door, target, config)) {
      System.out.println("ready");
      System.out.flush();
      awaitEndOfInput();
    }
  }

  /** Waits until the benchmark lets go of this process. */
  static void awaitEndOfInput() throws IOException {
    byte[] ignored = new byte[64];
    while (System.in.read(ignored) >= 0) {
      // Nothing is ever said; only the end counts.
    }
  }
}
