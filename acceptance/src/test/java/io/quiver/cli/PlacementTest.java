package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.Blob;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.ServerAddress;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.node.HostedServer;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.protocol.AskStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands and jobs look for a blob at the same server, however many there are. */
@Timeout(60)
class PlacementTest {
  private static final int BLOBS = 60;

  @TempDir private Path folder;

  /** Returns a client that places as jobs do: by the names in the plan. */
  private static CacheClient asAJob(Node node) {
    CacheClient client =
        CacheClient.connect(
            ClientConfig.of(node.servers().stream().map(HostedServer::uri).toList()));
    client.changeServers(ServerAddress.ofPlan(node.manager().plan().members()));
    return client;
  }

  private static byte[] content(int blob) {
    return ("blob " + blob).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsPutByHandIsFoundByJobs() throws Exception {
    try (Node node = Scene.make(folder, 1, 10).cluster(3, 1 << 20);
        CacheClient job = asAJob(node)) {
      List<String> put = new ArrayList<>(List.of("put", "--json"));
      List<ContentHash> hashes = new ArrayList<>();
      for (int i = 0; i < BLOBS; i++) {
        put.add(Files.write(folder.resolve("f" + i), content(i)).toString());
        hashes.add(ContentHash.ofContent(ByteBuffer.wrap(content(i))));
      }
      var ended = Shell.of(node.uri().toString()).run(put.toArray(String[]::new));
      assertThat(ended.exit()).as(ended.err()).isZero();
      assertThat(job.lookup(hashes, false).count(AskStatus.HIT)).isEqualTo(BLOBS);
      assertThat(node.servers())
          .as("all servers have a part")
          .allMatch(server -> server.store().usage().blobs() > 0);
    }
  }

  @Test
  void whatJobsBringInIsFoundByHand() throws Exception {
    try (Node node = Scene.make(folder, 1, 10).cluster(3, 1 << 20);
        CacheClient job = asAJob(node)) {
      List<Blob> blobs = new ArrayList<>();
      for (int i = 0; i < BLOBS; i++) {
        ByteBuffer bytes = ByteBuffer.wrap(content(i));
        blobs.add(new Blob(ContentHash.ofContent(bytes), new SpaceId("x"), bytes));
      }
      assertThat(job.put(blobs).failures()).isEmpty();
      for (Blob blob : blobs.subList(0, 20)) {
        var got = Shell.of(node.uri().toString()).run("get", blob.hash().toHex());
        assertThat(got.exit()).as(got.err()).isZero();
      }
    }
  }

  @Test
  void serversListedOneByOneAreNamedAsTheyNameThemselves() throws Exception {
    try (Node node = Scene.make(folder, 1, 10).cluster(3, 1 << 20)) {
      String all =
          String.join(
              ",",
              node.servers().reversed().stream().map(server -> server.uri().toString()).toList());
      for (int i = 0; i < 10; i++) {
        Path file = Files.write(folder.resolve("f" + i), content(i));
        String hash =
            Shell.of(node.uri().toString()).run("put", file.toString()).out().substring(0, 64);
        assertThat(Shell.of(all).run("get", hash).exit()).isZero();
      }
      assertThat(Shell.of(all).run("stat", "--json").json().path("servers")).hasSize(3);
    }
  }
}
