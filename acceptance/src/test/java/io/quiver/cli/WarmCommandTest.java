package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks that warmed data is in the cache and that later jobs find it. */
@Timeout(120)
class WarmCommandTest {
  private static final int ITEMS = 300;

  @TempDir private Path folder;
  private Scene scene;
  private long bytes;

  @BeforeEach
  void makeData() throws Exception {
    scene = Scene.make(folder, ITEMS, 4000);
    bytes =
        Shell.plain()
            .run("digest", "show", scene.digest().toString(), "--json")
            .json()
            .path("bytes")
            .asLong();
    assertThat(bytes).isPositive();
  }

  private Shell.Ended warm(Node node, String... more) {
    String[] all = new String[more.length + 4];
    System.arraycopy(more, 0, all, 4, more.length);
    all[0] = "warm";
    all[1] = scene.digest().toString();
    all[2] = "--batch";
    all[3] = "5";
    return Shell.of(node.uri().toString()).run(all);
  }

  private JsonNode job(Node node) {
    var ended =
        Shell.of(node.uri().toString())
            .run(
                "job",
                "--digest",
                scene.digest().toString(),
                "--batch",
                "5",
                "--compute-ms",
                "0",
                "--json");
    assertThat(ended.exit()).as(ended.err()).isZero();
    return ended.json();
  }

  @Test
  void aJobThatComesLaterFindsEverything() throws Exception {
    try (Node node = scene.cluster(3, 2 * bytes)) {
      var ended = warm(node, "--json", "--verify");
      assertThat(ended.exit()).as(ended.err()).isZero();
      JsonNode json = ended.json();
      assertThat(json.path("resident_items").asInt()).isEqualTo(ITEMS);
      assertThat(json.path("resident_bytes").asLong()).isEqualTo(bytes);
      assertThat(json.path("read_back").asInt()).isEqualTo(ITEMS);
      assertThat(json.path("store_reads").asInt()).isEqualTo(ITEMS);
      assertThat(json.path("as_planned").asBoolean()).isTrue();
      assertThat(json.path("whole").asBoolean()).isTrue();
      assertThat(node.manager().jobs()).as("warm has said goodbye").isEmpty();
      JsonNode job = job(node);
      assertThat(job.path("hit_ratio").asDouble()).isEqualTo(1);
      assertThat(job.path("store_reads").asInt()).isZero();
      var again = warm(node);
      assertThat(again.exit()).as(again.err()).isZero();
      assertThat(again.out())
          .contains("300 of 300 items")
          .contains("; 0 read from the store")
          .contains("0 missing, 0 unreadable");
    }
  }

  @Test
  void whatDoesNotFitIsNotClaimedToBeThere() throws Exception {
    try (Node node = scene.cluster(1, bytes / 2)) {
      JsonNode json = warm(node, "--json").json();
      int resident = json.path("resident_items").asInt();
      assertThat(resident).isBetween(ITEMS * 4 / 10, ITEMS * 55 / 100);
      assertThat(json.path("missing_items").asInt()).isZero();
      assertThat(json.path("whole").asBoolean()).isFalse();
      assertThat(json.path("as_planned").asBoolean()).isTrue();
      JsonNode job = job(node);
      assertThat(job.path("hit_ratio").asDouble()).isBetween(resident / 300.0 - 0.001, 0.6);
      assertThat(job.path("store_reads").asInt()).isLessThanOrEqualTo(ITEMS - resident);
    }
  }

  @Test
  void anItemThatDidNotGetInIsNamedWithTheReason() throws Exception {
    Files.delete(scene.file(17));
    try (Node node = scene.cluster(1, 2 * bytes)) {
      var ended = warm(node);
      assertThat(ended.exit()).as(ended.out()).isEqualTo(1);
      assertThat(ended.out()).contains("1 missing");
      assertThat(ended.err()).contains("item 17 ").contains("put it back or make the digest again");
    }
  }

  @Test
  void aCacheWithoutRoomIsSaidToHaveNone() throws Exception {
    try (Node node = scene.cluster(1, 0)) {
      var ended = warm(node);
      assertThat(ended.exit()).as(ended.err()).isEqualTo(1);
      assertThat(ended.err()).contains("no bytes left").contains("--capacity").hasLineCount(1);
    }
  }

  @Test
  void withoutAManagerThereIsNothingToWarm() throws Exception {
    var nobody =
        Shell.plain()
            .run("warm", scene.digest().toString(), "--manager", "127.0.0.1:" + freePort());
    assertThat(nobody.exit()).isEqualTo(3);
    assertThat(nobody.err()).contains("./quiver up").contains("--manager").hasLineCount(1);
    try (Node node = scene.cluster(1, bytes)) {
      String server = node.servers().getFirst().uri().toString();
      var ended = Shell.plain().run("warm", scene.digest().toString(), "--manager", server);
      assertThat(ended.exit()).isEqualTo(2);
      assertThat(ended.err()).contains(server).contains("status page").hasLineCount(1);
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
