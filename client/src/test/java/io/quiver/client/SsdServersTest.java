package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.GetRequest.Verification;
import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.store.BlobStore;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import io.quiver.testkit.SeededRuns;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against servers that keep their blobs on disk. */
final class SsdServersTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void readsBackWhatItPutAlsoAfterTheServersStartedAnew(int count) {
    SeededRuns.run(
        1,
        random -> {
          List<Blob> blobs = TestBlobs.some(random, 300, 50_000);
          List<URI> uris;
          try (RunningServers servers = RunningServers.over(stores(count));
              CacheClient client = connect(servers)) {
            assertThat(client.put(blobs).allHere()).isTrue();
            requireAll(client, blobs);
            uris = servers.uris();
          }
          Collections.shuffle(blobs, random);
          try (RunningServers servers = RunningServers.over(stores(count), uris);
              CacheClient client = connect(servers)) {
            requireAll(client, blobs);
          }
        });
  }

  private static void requireAll(CacheClient client, List<Blob> blobs) {
    try (BlobAnswer answer =
        client.get(GetRequest.all(TestBlobs.hashes(blobs)).verifiedBy(Verification.SHA256))) {
      assertThat(answer.failures()).isEmpty();
      for (int i = 0; i < blobs.size(); i++) {
        assertThat(answer.bytes(i)).isEqualTo(blobs.get(i).content());
      }
    }
  }

  private List<BlobStore> stores(int count) throws IOException {
    List<BlobStore> stores = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path directory = Files.createDirectories(folder.resolve("disk-" + i));
      SsdStoreConfig config = SsdStoreConfig.of(List.of(directory), 256L << 20);
      stores.add(SsdBlobStore.open(config, RecoveryProgress.NONE));
    }
    return stores;
  }

  private static CacheClient connect(RunningServers servers) {
    return CacheClient.connect(
        ClientConfig.of(servers.uris())
            .withParanoid(true)
            .withConnectTimeout(Duration.ofSeconds(20))
            .withRequestTimeout(Duration.ofMinutes(1)));
  }
}
