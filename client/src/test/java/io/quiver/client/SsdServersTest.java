package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.GetRequest.Verification;
import io.quiver.client.testing.RunningServers;
import io.quiver.client.testing.TestBlobs;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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

  @Test
  void namesAndPartsAreRightWarmColdAndAfterTheServersStartedAnew() throws Exception {
    SeededRuns.run(
        1,
        random -> {
          List<Blob> blobs = TestBlobs.some(random, 100, 300_000);
          List<NameBinding> bindings = NamedBlocksTest.bindings(blobs);
          List<URI> uris;
          try (RunningServers servers = RunningServers.over(stores(2));
              CacheClient client = connect(servers)) {
            assertThat(client.put(blobs).allHere()).isTrue();
            assertThat(client.bind(new SpaceId("stream"), bindings, 0)).containsOnly(true);
            NamedBlocksTest.requireParts(client, blobs, random);
            uris = servers.uris();
          }
          try (RunningServers servers = RunningServers.over(stores(2), uris);
              CacheClient client = connect(servers)) {
            forgetPages();
            for (int round = 0; round < 3; round++) {
              assertThat(client.resolve(NamedBlocksTest.names(bindings), false).bindings())
                  .isEqualTo(bindings.stream().map(Optional::of).toList());
              NamedBlocksTest.requireParts(client, blobs, random);
            }
          }
        });
  }

  /** Has the system forget the pages of all segments, so that reads find the disk. */
  private void forgetPages() throws Exception {
    List<Path> segments;
    try (Stream<Path> files = Files.walk(folder)) {
      segments = files.filter(file -> file.toString().endsWith(".seg")).toList();
    }
    for (Path segment : segments) {
      run("dd", "if=/dev/null", "of=" + segment, "conv=notrunc,fdatasync", "status=none");
      run("dd", "if=" + segment, "iflag=nocache", "count=0", "status=none");
    }
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
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
