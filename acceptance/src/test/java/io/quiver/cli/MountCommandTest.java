package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The mount as a command: a process of its own that signals end. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class MountCommandTest {
  @TempDir private Path folder;

  private Path data;
  private Path target;

  @BeforeEach
  void makeFolders() throws Exception {
    data = Files.createDirectory(folder.resolve("data"));
    target = Files.createDirectory(folder.resolve("target"));
  }

  private static void needsFuse() {
    boolean installed =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
            .anyMatch(place -> Files.isExecutable(Path.of(place, "fusermount3")));
    assumeTrue(installed, "skipped, because fusermount3 (package fuse3) is not installed");
    assumeTrue(
        Files.isWritable(Path.of("/dev/fuse")), "skipped, because /dev/fuse cannot be opened");
  }

  @Test
  void readsThroughTheCacheUntilItIsTerminated() throws Exception {
    needsFuse();
    byte[] bytes = new byte[9_000_000];
    new Random(5).nextBytes(bytes);
    Files.write(data.resolve("file"), bytes);
    try (Node node =
            Scene.make(Files.createDirectory(folder.resolve("scene")), 10, 3000)
                .cluster(1, 1 << 26);
        ChildProcess mount =
            ChildProcess.start(
                folder,
                "mount",
                data.toString(),
                target.toString(),
                "--cache",
                node.uri().toString(),
                "--json")) {
      JsonNode ready = mount.readyLine();
      assertThat(ready.path("mount").asText()).isEqualTo(target.toRealPath().toString());
      assertThat(ready.path("pid").asLong()).isPositive();
      assertThat(Files.readAllBytes(target.resolve("file"))).isEqualTo(bytes);
      assertThat(mount.terminate()).isZero();
      Await.until("nothing is mounted", () -> isEmpty(target));
    }
  }

  private static boolean isEmpty(Path folder) throws Exception {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  @Test
  void refusesWithTheRemedy() throws Exception {
    needsFuse();
    Files.writeString(target.resolve("something"), "x");
    Shell.Ended full = Shell.plain().run("mount", data.toString(), target.toString());
    assertThat(full.exit()).isEqualTo(1);
    assertThat(full.err()).contains("not empty");
    Shell.Ended missing =
        Shell.plain().run("mount", data.toString(), folder.resolve("missing").toString());
    assertThat(missing.exit()).isEqualTo(1);
    assertThat(missing.err()).contains("mkdir -p");
    Shell.Ended odd =
        Shell.plain().run("mount", data.toString(), target.toString(), "--freshness-s", "-1");
    assertThat(odd.exit()).isEqualTo(2);
    assertThat(odd.err()).contains("--freshness-s -1.0 makes no sense");
  }
}
