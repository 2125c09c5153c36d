package io.quiver.benchmarks.doors;

import io.quiver.core.stream.StreamRules;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.gateway.mount.Mount;
import io.quiver.gateway.mount.MountConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Our mount, with a door that has memory for all files.
 *
 * <p>Arguments: the folder to mount at, the number of files, the bytes of each, the bytes per
 * second that the store gives, 0 for all it can, and whether streams are recognised: on or off.
 * Prints a line when it is ready and ends when its standard input does.
 */
public final class MountProcess {
  private static final Duration FRESHNESS = Duration.ofSeconds(60);
  private static final String NAMESPACE = "a benchmark's namespace";
  private static final long MEMORY = 2L << 30;

  private MountProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    Path target = Path.of(arguments[0]);
    MadeFiles files = new MadeFiles(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
    RemoteStore store = store(files, Long.parseLong(arguments[3]));
    DoorConfig config =
        DoorConfig.of(store.uri(), NAMESPACE.getBytes(StandardCharsets.UTF_8))
            .withFreshness(FRESHNESS);
    config =
        config
            .withBlocks(config.blocks().withMemoryBytes(MEMORY))
            .withStreams(streams(arguments[4]));
    try (Door door = CachedDoor.open(config, store, new NoCache());
        Mount _ = Mount.open(door, target, MountConfig.of("bench", FRESHNESS))) {
      System.out.println("ready");
      System.out.flush();
      awaitEndOfInput();
    }
  }

  /** Returns the rules of recognition of a word, on or off. */
  static Optional<StreamRules> streams(String word) {
    return word.equals("on") ? Optional.of(StreamRules.STANDARD) : Optional.empty();
  }

  /** Returns the store, as fast as it is or slowed down. */
  static RemoteStore store(MadeFiles files, long bytesPerSecond) {
    MadeStore store = new MadeStore(files);
    return bytesPerSecond == 0
        ? store
        : new ThrottledStore(store, Throttle.realTime(bytesPerSecond, Throttle.Latency.NONE));
  }

  /** Waits until the benchmark lets go of this process. */
  static void awaitEndOfInput() throws IOException {
    byte[] ignored = new byte[64];
    while (System.in.read(ignored) >= 0) {
      // Nothing is ever said; only the end counts.
    }
  }
}
