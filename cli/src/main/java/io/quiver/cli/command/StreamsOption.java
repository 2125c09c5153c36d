package io.quiver.cli.command;

import io.quiver.core.stream.StreamRules;
import io.quiver.gateway.door.DoorConfig;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option of doors that turns the recognition of access streams off. */
final class StreamsOption {
  @Option(
      names = "--streams",
      paramLabel = "on|off",
      defaultValue = "on",
      description =
          "Recognise how programs read, and read ahead, keep and evict accordingly; off leaves one"
              + " space of the cache to all of them (default: ${DEFAULT-VALUE}).")
  private Choice choice = Choice.ON;

  /** The values of the option. */
  enum Choice {
    ON,
    OFF
  }

  /** Returns a copy of a door's settings that follows this option. */
  DoorConfig applyTo(DoorConfig config) {
    return config.withStreams(
        choice == Choice.ON ? Optional.of(StreamRules.STANDARD) : Optional.empty());
  }
}
