package io.quiver.node;

import io.quiver.http.AccessControl;
import io.quiver.http.TlsConfig;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestOptions;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.testkit.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A data set in a folder with its digest, and clusters to read it through. */
public final class Scene {
  private final Path folder;
  private final int items;

  private Scene(Path folder, int items) {
    this.folder = folder;
    this.items = items;
  }

  /** Makes a data set of random files up to a length. */
  public static Scene make(Path folder, int items, int maxBytes) throws Exception {
    Scene scene = new Scene(folder, items);
    Random random = new Random(items);
    Files.createDirectories(scene.data());
    for (int i = 0; i < items; i++) {
      byte[] content = new byte[1 + random.nextInt(maxBytes)];
      random.nextBytes(content);
      Files.write(scene.file(i), content);
    }
    scene.digestAgain();
    return scene;
  }

  /** Digests what lies in the folder now. */
  public void digestAgain() throws Exception {
    Files.deleteIfExists(digest());
    try (FileStore store = FileStore.open(data())) {
      DigestBuilder.build(store, digest(), IngestOptions.defaults(), new DigestProgress());
    }
  }

  /** Returns where the items are. */
  public Path data() {
    return folder.resolve("data");
  }

  /** Returns one item's file. */
  public Path file(int item) {
    return data().resolve(String.format(java.util.Locale.ROOT, "%06d.bin", item));
  }

  /** Returns the digest. */
  public Path digest() {
    return folder.resolve("data.qdg");
  }

  /** Returns how many items there are. */
  public int items() {
    return items;
  }

  /** Returns an empty cluster whose plans may fill so many bytes. */
  public Node cluster(int servers, long planBytes) throws Exception {
    return cluster(servers, planBytes, Optional.empty(), AccessControl.OPEN);
  }

  /** Returns an empty cluster with these certificates and rules. */
  public Node cluster(int servers, long planBytes, Optional<TlsConfig> tls, AccessControl access)
      throws Exception {
    NodeConfig config =
        new NodeConfig(
                "127.0.0.1",
                0,
                servers,
                List.of(Files.createTempDirectory(folder, "cache")),
                new Capacity.Absolute(64L << 20),
                tls)
            .withPlanBytes(planBytes)
            .withAccess(access);
    Node node = Node.start(config, InstantSource.system(), RecoveryProgress.NONE);
    Await.until(
        "the manager knows its servers", () -> node.manager().plan().members().size() == servers);
    return node;
  }
}
