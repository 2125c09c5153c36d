package io.quiver.benchmarks.jmh;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures the lookup of a blob in a warm store: nanoseconds for each blob of a batch. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class StoreBenchmark {
  private static final int BATCH = 512;
  private static final int BLOBS = 50_000;
  private static final int BYTES = 3_000;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<ContentHash> hashes = new ArrayList<>();
  private @Nullable BlobStore store;
  private Path folder = Path.of("");

  @Setup
  public void fill() throws Exception {
    folder = Files.createTempDirectory("quiver-jmh-");
    BlobStore opened =
        SsdBlobStore.open(SsdStoreConfig.of(List.of(folder), 4L << 30), RecoveryProgress.NONE);
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < BLOBS; i++) {
      random.nextBytes(bytes);
      ByteBuffer blob = ByteBuffer.wrap(bytes);
      hashes.add(ContentHash.ofContent(blob));
      opened.put(hashes.getLast(), SpaceId.DEFAULT, blob);
    }
    store = opened;
  }

  @TearDown
  public void delete() throws IOException {
    store().close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private BlobStore store() {
    BlobStore opened = store;
    if (opened == null) {
      throw new IllegalStateException("the store was not set up");
    }
    return opened;
  }

  private List<ContentHash> batch() {
    List<ContentHash> batch = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      batch.add(hashes.get(random.nextInt(BLOBS)));
    }
    return batch;
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public boolean[] lookUp() {
    return store().contains(batch());
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long readWarm() {
    try (BlobBatch batch = store().read(batch(), BATCH, Long.MAX_VALUE)) {
      return batch.hitBytes();
    }
  }
}
