package io.quiver.cli;

import io.quiver.cli.console.Console;
import io.quiver.client.Blob;
import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.node.Capacity;
import io.quiver.node.Node;
import io.quiver.node.NodeConfig;
import io.quiver.store.ssd.RecoveryProgress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Runs the usual commands and a server under load for a few seconds while the JVM records them for
 * its ahead-of-time cache. Later starts find their classes loaded and linked; later servers and
 * clients know what to compile, so that they are fast after a second and not after ten.
 */
final class AotRecording {
  private static final long CAPACITY_BYTES = 64L << 20;

  /** The time for each shape of batch; the compiler has seen enough by then. */
  private static final Duration SERVING = Duration.ofSeconds(3);

  /** Bytes of a blob, and the blobs of a batch. */
  private record BatchShape(int bytes, int batch) {}

  private static final List<BatchShape> SHAPES =
      List.of(new BatchShape(3_000, 512), new BatchShape(20_000, 512), new BatchShape(150_000, 64));

  private AotRecording() {}

  /** Runs the commands; exits normally, which is when the recording is written. */
  public static void main(String[] arguments) throws Exception {
    Path scratch = Files.createTempDirectory("quiver-recording");
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
              new Capacity.Absolute(CAPACITY_BYTES),
              Optional.empty());
      try (Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE)) {
        use(node, file, scratch);
        serve(node.servers().getFirst().uri());
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

  /** Puts batches of blobs into a server and gets them back, as training jobs do. */
  private static void serve(URI server) {
    Random random = new Random(1);
    try (CacheClient client = CacheClient.connect(ClientConfig.of(List.of(server)))) {
      SHAPES.forEach(shape -> serve(client, shape, random));
    }
  }

  private static void serve(CacheClient client, BatchShape shape, Random random) {
    long end = System.nanoTime() + SERVING.toNanos();
    List<Blob> blobs = blobs(shape, random);
    List<ContentHash> hashes = new ArrayList<>(blobs.stream().map(Blob::hash).toList());
    while (System.nanoTime() - end < 0) {
      // Again and again: a blob that is cached already is hashed nevertheless.
      client.put(blobs);
      for (int i = 0; i < 8; i++) {
        Collections.shuffle(hashes, random);
        try (BlobAnswer answer = client.get(hashes)) {
          requireAll(answer, hashes.size());
        }
      }
    }
  }

  private static void requireAll(BlobAnswer answer, int expected) {
    if (answer.hits() != expected) {
      throw new IllegalStateException(
          "only " + answer.hits() + " of " + expected + " blobs came; " + answer.failures());
    }
  }

  private static List<Blob> blobs(BatchShape shape, Random random) {
    List<Blob> blobs = new ArrayList<>();
    for (int i = 0; i < shape.batch; i++) {
      byte[] content = new byte[shape.bytes];
      random.nextBytes(content);
      ByteBuffer outside = ByteBuffer.allocateDirect(shape.bytes).put(content).flip();
      blobs.add(new Blob(ContentHash.ofContent(content), SpaceId.DEFAULT, outside));
    }
    return blobs;
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
