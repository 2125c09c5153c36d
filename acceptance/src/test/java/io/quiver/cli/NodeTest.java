package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole cache in a process of its own, used as its users do. */
@Execution(ExecutionMode.CONCURRENT)
class NodeTest {
  @TempDir private Path folder;

  private ChildProcess up(String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "up",
                "--port",
                "0",
                "--json",
                "--capacity",
                "100MB",
                "--data",
                folder.resolve("data").toString()));
    arguments.addAll(List.of(more));
    return ChildProcess.start(folder, arguments.toArray(String[]::new));
  }

  @Test
  void whatIsPutIsServedShownAndStillThereAfterARestart() throws Exception {
    Path file = Files.writeString(folder.resolve("hello world.txt"), "hello");
    String hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    try (ChildProcess node = up("--servers", "2")) {
      JsonNode ready = node.readyLine();
      assertThat(ready.path("servers").size()).isEqualTo(2);
      Shell shell = Shell.of(ready.path("status").asText());

      var put = shell.run("put", "--space", "greetings", file.toString());
      assertThat(put.exit()).as(put.err()).isZero();
      assertThat(put.out()).isEqualTo(hash + "  " + file + "\n");

      var got = shell.run("get", hash);
      assertThat(got.exit()).as(got.err()).isZero();
      assertThat(got.out()).isEqualTo("hello");
      assertThat(shell.run((hash + "\n").getBytes(StandardCharsets.UTF_8), "get", "-").out())
          .isEqualTo("hello");

      JsonNode stat = shell.run("stat", "--json").json();
      assertThat(stat.path("totals").path("blobs").asInt()).isEqualTo(1);
      assertThat(stat.path("totals").path("hit_ratio").asDouble()).isPositive();
      assertThat(stat.path("servers").size()).isEqualTo(2);
      assertThat(shell.run("stat").out()).contains("greetings").contains("total");

      assertThat(node.terminate()).as(node.err()).isZero();
    }
    try (ChildProcess node = up("--servers", "2")) {
      JsonNode ready = node.readyLine();
      assertThat(ready.path("blobs").asInt()).isEqualTo(1);
      Shell shell = Shell.of(ready.path("status").asText());
      Path target = folder.resolve("again.txt");
      var got = shell.run("get", hash, "-o", target.toString(), "--json");
      assertThat(got.exit()).as(got.err()).isZero();
      assertThat(got.json().path("bytes").asInt()).isEqualTo(5);
      assertThat(target).hasContent("hello");

      var dropped = shell.run("space", "drop", "greetings", "--json");
      assertThat(dropped.exit()).as(dropped.err()).isZero();
      assertThat(dropped.json().path("freed_bytes").asLong()).isPositive();
      var gone = shell.run("get", hash);
      assertThat(gone.exit()).isEqualTo(4);
      assertThat(gone.out()).isEmpty();
      assertThat(gone.err()).contains("2cf24dba…").doesNotContain(hash).hasLineCount(1);
      assertThat(shell.run("space", "drop", "greetings").exit()).isEqualTo(4);
    }
  }

  @Test
  void standardInputAndManyFilesBecomeBlobs() throws Exception {
    try (ChildProcess node = up()) {
      Shell shell = Shell.of(node.readyLine().path("status").asText());
      var put = shell.run("from a pipe".getBytes(StandardCharsets.UTF_8), "put", "-", "--json");
      assertThat(put.exit()).as(put.err()).isZero();
      assertThat(put.json().path(0).path("outcome").asText()).isEqualTo("stored");
      List<String> arguments = new ArrayList<>(List.of("put", "--json"));
      for (int i = 0; i < 300; i++) {
        arguments.add(Files.writeString(folder.resolve("f" + i), "file " + i / 2).toString());
      }
      JsonNode many = shell.run(arguments.toArray(String[]::new)).json();
      assertThat(many.size()).isEqualTo(300);
      assertThat(shell.run("stat", "--json").json().path("totals").path("blobs").asInt())
          .isEqualTo(151);
      assertThat(shell.run("stat", "--watch", "10ms", "--times", "3", "--json").out())
          .hasLineCount(3);
    }
  }

  @Test
  void aSecondNodeOnTheSameFolderIsRefusedInOneLine() throws Exception {
    try (ChildProcess first = up()) {
      first.readyLine();
      try (ChildProcess second = up()) {
        assertThat(second.await()).isEqualTo(1);
        assertThat(second.err()).startsWith("quiver: ").contains("server-0").hasLineCount(1);
      }
    }
  }

  @Test
  void aTakenPortIsNamedBeforeAnythingStarts() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      int port = taken.getLocalPort();
      var ended =
          Shell.plain()
              .run(
                  "up",
                  "--host",
                  "0.0.0.0",
                  "--insecure",
                  "--port",
                  Integer.toString(port),
                  "--data",
                  folder.toString());
      assertThat(ended.exit()).isEqualTo(1);
      assertThat(ended.err()).contains("port " + port).contains("choose another port");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"up", "server"})
  void listeningBeyondThisMachineNeedsProtectionOrTheWish(String command) {
    var refused =
        Shell.plain().run(command, "--host", "0.0.0.0", "--port", "0", "--data", folder.toString());
    assertThat(refused.exit()).as(refused.err()).isEqualTo(2);
    assertThat(refused.err())
        .contains("--token-file")
        .contains("--tls-cert")
        .contains("--insecure")
        .hasLineCount(1);
  }

  @Test
  void aServerOnEveryAddressTellsOneThatOthersCanReach() throws Exception {
    try (ChildProcess server =
        ChildProcess.start(
            folder,
            "server",
            "--host",
            "0.0.0.0",
            "--insecure",
            "--manager",
            "127.0.0.1:1",
            "--port",
            "0",
            "--json",
            "--capacity",
            "50MB",
            "--data",
            folder.resolve("told").toString())) {
      JsonNode ready = server.readyLine();
      assertThat(ready.path("server").asText()).startsWith("http://127.0.0.1:");
      assertThat(ready.path("name").asText()).matches(".+-[0-9a-f]{8}");
    }
  }

  @Test
  void oneServerByItselfServesAndStopsCleanly() throws Exception {
    try (ChildProcess server =
        ChildProcess.start(
            folder,
            "server",
            "--port",
            "0",
            "--json",
            "--capacity",
            "50MB",
            "--max-blob",
            "1MB",
            "--data",
            folder.resolve("one").toString())) {
      Shell shell = Shell.of(server.readyLine().path("server").asText());
      assertThat(shell.run("put", Files.writeString(folder.resolve("a"), "a").toString()).exit())
          .isZero();
      Path large = Files.write(folder.resolve("large"), new byte[2_000_000]);
      var refused = shell.run("put", large.toString());
      assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
      assertThat(server.terminate()).isZero();
    }
  }
}
