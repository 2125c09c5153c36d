package io.quiver.benchmarks.demo.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestProgress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoDataTest {
  @TempDir Path folder;

  private DemoData open() throws IOException, InterruptedException {
    ImageFolder images = new ImageFolder(new SyntheticImages(20, 3000, 4, 1), folder);
    images.writeItems(_ -> {});
    images.writeDigest(new DigestProgress());
    return DemoData.open(images.digest(), "");
  }

  @Test
  void countsTheReadsOfEveryItem() throws Exception {
    try (DemoData data = open()) {
      StoreMeter meter = new StoreMeter(20);
      DatasetDigest digest = data.digest();
      try (RemoteStore store = data.throttled(meter, 1_000_000_000, Duration.ZERO)) {
        long bytes = 0;
        for (int item : new int[] {3, 3, 7}) {
          ByteBuffer target = ByteBuffer.allocate((int) digest.size(item));
          store.read(digest.objectName(digest.objectIndex(item)), digest.offset(item), target);
          bytes += target.position();
        }
        assertThat(meter.bytes()).isEqualTo(bytes);
      }
      assertThat(meter.reads()).isEqualTo(3);
      assertThat(meter.itemsRead(item -> item == 3)).as("read twice").isEqualTo(1);
      assertThat(meter.itemsRead(item -> item != 3)).isEqualTo(1);
      assertThat(meter.failures()).isZero();
    }
  }

  @Test
  void aReadThatFailsIsNoRead() throws Exception {
    try (DemoData data = open()) {
      StoreMeter meter = new StoreMeter(20);
      try (RemoteStore store = data.throttled(meter, 1_000_000_000, Duration.ZERO)) {
        assertThatThrownBy(() -> store.read("nothing", 0, ByteBuffer.allocate(1)))
            .isInstanceOf(NoSuchFileException.class);
      }
      assertThat(meter.reads()).isZero();
      assertThat(meter.failures()).isEqualTo(1);
    }
  }

  @Test
  void allWhoHoldTheStoreShareItsLink() throws Exception {
    try (DemoData data = open();
        RemoteStore store = data.throttled(new StoreMeter(20), 200_000, Duration.ZERO)) {
      DatasetDigest digest = data.digest();
      long began = System.nanoTime();
      Thread[] readers = new Thread[2];
      for (int half = 0; half < 2; half++) {
        int from = half * 10;
        readers[half] = Thread.ofVirtual().start(() -> readTen(digest, store, from));
      }
      for (Thread reader : readers) {
        assertThat(reader.join(Duration.ofSeconds(20))).isTrue();
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      assertThat(seconds).isGreaterThan(0.85 * digest.totalBytes() / 200_000);
    }
  }

  private static void readTen(DatasetDigest digest, RemoteStore store, int from) {
    try {
      for (int item = from; item < from + 10; item++) {
        ByteBuffer target = ByteBuffer.allocate((int) digest.size(item));
        store.read(digest.objectName(digest.objectIndex(item)), digest.offset(item), target);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
