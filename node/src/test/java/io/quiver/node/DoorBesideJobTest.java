package io.quiver.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.JobNames;
import io.quiver.client.link.DoorLink;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.DoorSpaces;
import io.quiver.core.plan.Plan;
import io.quiver.gateway.door.CachedDoor;
import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorConfig;
import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.door.block.BlockBounds;
import io.quiver.gateway.door.cache.PlannedDoorCache;
import io.quiver.http.ClientCredentials;
import io.quiver.node.job.EpochResult;
import io.quiver.node.job.JobStart;
import io.quiver.node.job.JobSummary;
import io.quiver.node.job.TrainingJob;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import io.quiver.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A door and a job at one cluster: one allocator divides the bytes between them. */
@Timeout(240)
class DoorBesideJobTest {
  private static final int ITEMS = 400;
  private static final int FILES = 200;
  private static final int FILE_BYTES = 20_000;
  private static final long DOOR_MEMORY = 1 << 20;
  private static final long PLAN_BYTES = 6L << 20;
  private static final int EPOCHS = 8;
  private static final Duration COMPUTE = Duration.ofMillis(20);

  @TempDir private Path folder;

  /** Gives every request of the store this much latency, and bytes as fast as they come. */
  private static RemoteStore slow(Path folder) throws IOException {
    Throttle.Latency latency = new Throttle.Latency(Duration.ofMillis(4), Duration.ZERO, 1);
    return new ThrottledStore(FileStore.open(folder), Throttle.realTime(1_000_000_000, latency));
  }

  private static byte[] content(int file) {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(file).nextBytes(bytes);
    return bytes;
  }

  private Path files() throws IOException {
    Path files = Files.createDirectory(folder.resolve("files"));
    for (int i = 0; i < FILES; i++) {
      Files.write(files.resolve("f" + i), content(i));
    }
    return files;
  }

  private static Door door(Node node, RemoteStore store) throws IOException {
    DoorLink.Settings settings =
        new DoorLink.Settings(
            JobNames.unique("door"),
            "",
            List.of(node.uri()),
            ClientCredentials.NONE,
            UnaryOperator.identity());
    DoorConfig config =
        DoorConfig.of(store.uri(), new byte[32])
            .withBlocks(BlockBounds.STANDARD.withMemoryBytes(DOOR_MEMORY))
            .withStreams(Optional.empty());
    return CachedDoor.open(config, store, PlannedDoorCache.open(settings, DOOR_MEMORY));
  }

  /** Reads files at random until told to stop; returns how many were read. */
  private static long readAtRandom(Door door, int seed, AtomicBoolean stop) throws IOException {
    Random random = new Random(seed);
    ByteBuffer target = ByteBuffer.allocate(FILE_BYTES);
    long read = 0;
    for (; !stop.get(); read++) {
      int file = random.nextInt(FILES);
      try (OpenObject open = door.open("f" + file)) {
        open.read(0, target.clear());
      }
      if (!Arrays.equals(target.array(), content(file))) {
        throw new IOException("file " + file + " has other bytes than it should");
      }
    }
    return read;
  }

  private static JobSummary train(Node node, DigestFile digest, RemoteStore store)
      throws Exception {
    LoaderConfig config =
        LoaderConfig.of("job", digest.digest(), store)
            .withBatch(10)
            .withSeed(3)
            .withEpochs(EPOCHS)
            .withManager(node.uri());
    try (JobStart start = JobStart.withoutLedger(config)) {
      return new TrainingJob(start, COMPUTE, new Silence()).run();
    }
  }

  /** Takes no notice. */
  private static final class Silence implements TrainingJob.JobWatcher {
    @Override
    public void running(TrainingJob.EpochProgress now) {}

    @Override
    public void ended(EpochResult result) {}
  }

  /** Returns the bytes of the job's data set that a plan has in the cache or on their way. */
  private static long ofJob(Plan plan) {
    return plan.datasets().stream()
        .mapToLong(data -> data.bytes() * data.held().size() / data.chunks())
        .sum();
  }

  private static long ofDoors(Plan plan) {
    SpaceOrder order = plan.doors();
    return order == null ? 0 : order.quotaBytes();
  }

  private static long heldForDoors(Node node) {
    return node.servers().stream()
        .flatMap(server -> server.store().spaces().stream())
        .filter(space -> space.space().equals(DoorSpaces.SHARED))
        .mapToLong(space -> space.blobs())
        .sum();
  }

  @Test
  void bothHaveBytesAndTogetherNoMoreThanThereAre() throws Exception {
    Scene scene = Scene.make(folder.resolve("scene"), ITEMS, FILE_BYTES);
    Path files = files();
    AtomicBoolean stop = new AtomicBoolean();
    try (Node node = scene.cluster(2, PLAN_BYTES);
        DigestFile digest = DigestFile.open(scene.digest());
        RemoteStore ofJob = slow(scene.data());
        Door door = door(node, slow(files));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Long> reader = threads.submit(() -> readAtRandom(door, 1, stop));
      Future<Long> other = threads.submit(() -> readAtRandom(door, 2, stop));
      try {
        Await.until(
            "the door has bytes of its own",
            () -> ofDoors(node.manager().plan()) > PLAN_BYTES / 2 && heldForDoors(node) > 0);
        Future<JobSummary> job = threads.submit(() -> train(node, digest, ofJob));
        Await.until(
            "job and door have bytes at the same time",
            () -> {
              Plan plan = node.manager().plan();
              assertThat(ofJob(plan) + ofDoors(plan)).isLessThanOrEqualTo(PLAN_BYTES);
              return ofJob(plan) > PLAN_BYTES / 10 && ofDoors(plan) > PLAN_BYTES / 10;
            });
        long before = door.statistics().cacheBytes();
        Await.until(
            "the door goes on to read from the cache",
            () -> door.statistics().cacheBytes() > before + 10L * FILE_BYTES);
        JobSummary summary = job.get();
        assertThat(summary.exactlyOnce()).isTrue();
        assertThat(summary.wrongItems()).isZero();
        Await.until(
            "the job's bytes are the door's again",
            () -> ofDoors(node.manager().plan()) > PLAN_BYTES / 2);
      } finally {
        stop.set(true);
      }
      assertThat(reader.get()).isPositive();
      assertThat(other.get()).isPositive();
    }
  }
}
