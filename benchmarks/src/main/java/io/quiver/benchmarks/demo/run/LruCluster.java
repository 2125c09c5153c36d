package io.quiver.benchmarks.demo.run;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.node.DiskOverhead;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.Caching;
import io.quiver.core.space.SpaceId;
import io.quiver.remote.RemoteStore;
import io.quiver.server.CacheServer;
import io.quiver.server.ServerConfig;
import io.quiver.server.policy.LruBlobStore;
import io.quiver.server.policy.LruSpace;
import io.quiver.store.BlobStore;
import io.quiver.store.PutOutcome;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A cache server whose one space forgets what was not used for longest, shared by jobs that shuffle
 * the whole data set: what one gets without knowing how training reads.
 */
final class LruCluster implements DemoCluster {
  /** The space that loaders insert into when nobody plans. */
  static final SpaceId SPACE = Caching.LRU_SPACE;

  private static final String HOST = "127.0.0.1";

  private final BlobStore store;
  private final CacheServer server;

  private LruCluster(BlobStore store, CacheServer server) {
    this.store = store;
    this.server = server;
  }

  /** An empty cache in a folder that may hold exactly so many bytes of blobs. */
  static LruCluster open(Path folder, long quotaBytes) throws IOException {
    Files.createDirectories(folder);
    BlobStore below =
        SsdBlobStore.open(
            SsdStoreConfig.of(List.of(folder), DiskOverhead.bytes(quotaBytes)),
            RecoveryProgress.NONE);
    BlobStore store = new LruBlobStore(below, List.of(LruSpace.of(SPACE, quotaBytes)));
    try {
      return new LruCluster(store, CacheServer.start(ServerConfig.on(HOST, 0), store));
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Puts the whole data set in, before the clock runs. */
  void fill(DatasetDigest digest, RemoteStore from, IntConsumer filled)
      throws IOException, BenchmarkException {
    for (int item = 0; item < digest.itemCount(); item++) {
      ByteBuffer content = ByteBuffer.allocate((int) digest.size(item));
      from.read(digest.objectName(digest.objectIndex(item)), digest.offset(item), content);
      PutOutcome outcome = store.put(digest.hash(item), SPACE, content.flip());
      if (outcome != PutOutcome.STORED && outcome != PutOutcome.ALREADY_HERE) {
        throw new BenchmarkException(
            "item "
                + item
                + " does not go into the cache: "
                + outcome
                + "; check the digest with quiver digest verify, and the room in the folder of"
                + " --dir");
      }
      filled.accept(item + 1);
    }
  }

  @Override
  public LoaderConfig join(LoaderConfig config) {
    return config
        .withCaching(Caching.LRU)
        .withSampler(SamplerKind.STRICT)
        .withServers(List.of(server.uri()));
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      store.close();
    }
  }
}
