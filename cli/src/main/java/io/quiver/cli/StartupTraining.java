package io.quiver.cli;

import io.quiver.cli.console.Console;
import io.quiver.node.Capacity;
import io.quiver.node.Node;
import io.quiver.node.NodeConfig;
import io.quiver.store.ssd.RecoveryProgress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A short run of the usual commands and of a server under load that the launcher records, so that
 * later starts find their classes loaded and linked, and know what to compile. Its results go
 * nowhere.
 */
final class StartupTraining {
  private static final long ROOM_BYTES = 64L << 20;

  /** For each size of blob; the compiler has seen enough by then. */
  private static final Duration SERVING = Duration.ofSeconds(3);

  private StartupTraining() {}

  /** Runs the commands; exits normally, which is when the recording is written. */
  public static void main(String[] arguments) throws Exception {
    Path scratch = Files.createTempDirectory("quiver-training");
    try {
      Main.run(console(Map.of()), "--help");
      Main.run(console(Map.of()), "unknown");
      Path file = Files.writeString(scratch.resolve("file"), "hello");
      Path data = Files.createDirectory(scratch.resolve("data"));
      NodeConfig config =
          new NodeConfig(
              "127.0.0.1",
              0,
              1,
              List.of(data),
              new Capacity.Absolute(ROOM_BYTES),
              Optional.empty());
      try (Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE)) {
        use(node, file, scratch);
        ServingTraining.run(node.servers().getFirst().uri(), SERVING);
      }
    } finally {
      delete(scratch);
    }
  }

  private static void use(Node node, Path file, Path scratch) {
    Console console = console(Map.of("QUIVER_SERVER", node.uri().toString()));
    Main.run(console, "put", file.toString(), "--json");
    Main.run(console, "get", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    Main.run(console, "stat");
    Main.run(console, "space", "list", "--json");
    String digest = scratch.resolve("x.qdg").toString();
    Main.run(console, "digest", "create", file.toString(), "-o", digest);
    Main.run(console, "digest", "show", digest);
    Main.run(console, "digest", "verify", digest);
  }

  private static Console console(Map<String, String> environment) {
    return new Console(
        InputStream.nullInputStream(),
        new ByteArrayOutputStream(),
        new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
        true,
        true,
        80,
        true,
        environment);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
