package io.quiver.gateway.door;

import static io.quiver.gateway.door.testing.TestFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.ClientConfig;
import io.quiver.core.space.SpaceId;
import io.quiver.gateway.door.cache.FixedDoorCache;
import io.quiver.gateway.door.testing.TestDoors;
import io.quiver.gateway.door.testing.TestFiles;
import io.quiver.remote.file.FileStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cache server that takes connections and never answers. */
@Timeout(120)
final class SlowCacheTest {
  @TempDir private Path folder;

  @Test
  void aSilentServerCostsOneWaitAndNoRead() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      URI server = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      FixedDoorCache cache =
          new FixedDoorCache(
              ClientConfig.of(List.of(server)).withJob("patient"), SpaceId.DEFAULT, 1 << 20);
      try (CachedDoor door = CachedDoor.open(TestDoors.config(), FileStore.open(folder), cache)) {
        long began = System.nanoTime();
        for (int i = 0; i < 50; i++) {
          byte[] content = TestFiles.write(folder, "f" + i, new Random(i), 1000);
          try (OpenObject object = door.open("f" + i)) {
            assertThat(read(object, 0, 2000)).isEqualTo(content);
          }
        }
        // Fifty waits of two seconds would be a hundred; rests grow from eight.
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
        assertThat(door.statistics().storeReads()).isEqualTo(50);
      }
    }
  }
}
