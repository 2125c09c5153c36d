package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.cache.NoCache;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.open.RemoteStores;
import io.quiver.report.ByteSize;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Options of a door: the cache behind it and its memory. */
final class DoorOptions {
  private static final long LEAST_MEMORY = 16L << 20;

  @Option(
      names = "--memory",
      paramLabel = "<size>",
      defaultValue = "1GiB",
      description =
          "Memory of this process for bytes that were read or are read ahead (default:"
              + " ${DEFAULT-VALUE}).")
  private ByteSize memory;

  /** Opens a door to a store. The caller closes it. */
  Door open(String address, Duration freshness, RemoteConfig remote, Output output)
      throws Exception {
    if (memory.bytes() < LEAST_MEMORY) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--memory "
              + ByteSize.show(memory.bytes())
              + " is too little; use "
              + ByteSize.show(LEAST_MEMORY)
              + " or more");
    }
    RemoteStore store = RemoteStores.open(address, remote);
    DoorConfig config =
        DoorConfig.of(store.uri(), "quiver".getBytes(StandardCharsets.UTF_8))
            .withFreshness(freshness);
    config = config.withBlocks(config.blocks().withMemoryBytes(memory.bytes()));
    return CachedDoor.open(config, store, new NoCache());
  }
}
