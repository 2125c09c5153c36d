package io.quiver.benchmarks.demo.transparent;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.gateway.s3.signature.AccessKeys;
import io.quiver.node.NodeException;
import io.quiver.node.Ticker;
import io.quiver.remote.Secret;
import io.quiver.remote.throttle.Throttle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** All readers at once in one mode, from an empty cache to the end of the last one. */
final class TransparentRun {
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);
  private static final int TRAINING_THREADS = 8;
  private static final int QUERY_THREADS = 4;
  private static final int QUERIES_PER_TABLE = 8;
  private static final int WARMING_QUERIES = 100;

  private final TransparentOptions options;
  private final BucketFolder data;
  private final BucketServer bucket;
  private final DemoPython python;
  private final TransparentListener listener;

  TransparentRun(
      TransparentOptions options,
      BucketFolder data,
      BucketServer bucket,
      DemoPython python,
      TransparentListener listener) {
    this.options = options;
    this.data = data;
    this.bucket = bucket;
    this.python = python;
    this.listener = listener;
  }

  /**
   * Reads a little through both doors without a clock: the first mode would pay for Java's start
   * otherwise.
   *
   * @param folder an empty folder of the run's own
   */
  void warmUp(Path folder)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    AccessKeys.KeyPair keys = AccessKeys.KeyPair.generate();
    long zero = System.nanoTime();
    try (DemoDoors doors =
        new DemoDoors(TransparentMode.NONE, bucket, line(), folder, 0, known(keys))) {
      Path part = doors.mountedAt().resolve(Reader.SLICE.folder());
      try (ReaderProcess slice =
              ReaderProcess.start(
                  Reader.SLICE,
                  shell("cat \"$0\"/*/station-01.csv", part),
                  Map.of(),
                  folder,
                  zero);
          ReaderProcess queries =
              ReaderProcess.start(
                  Reader.QUERIES,
                  queries(doors, WARMING_QUERIES),
                  environment(keys),
                  folder,
                  zero)) {
        await(List.of(slice, queries), zero);
      }
    }
  }

  private AccessKeys known(AccessKeys.KeyPair keys) {
    return python.hasBoto() ? AccessKeys.of(keys) : AccessKeys.anonymous();
  }

  private Throttle line() {
    return Throttle.realTime(
        options.storeBytesPerSecond(),
        new Throttle.Latency(options.storeLatency(), Duration.ZERO, options.seed()));
  }

  /**
   * Runs the readers in a mode.
   *
   * @param folder an empty folder of the run's own
   */
  TransparentResult.Run in(TransparentMode mode, Path folder)
      throws IOException, BenchmarkException, NodeException, InterruptedException {
    Reader[] readers = Reader.values();
    listener.began(mode, readers.length);
    AccessKeys.KeyPair keys = AccessKeys.KeyPair.generate();
    long cacheBytes = Math.round(options.cacheFraction() * data.bytes());
    List<ReaderProcess> running = new ArrayList<>();
    List<TransparentResult.Moment> moments = new CopyOnWriteArrayList<>();
    try (DemoDoors doors = new DemoDoors(mode, bucket, line(), folder, cacheBytes, known(keys));
        RecognisedStreams streams = new RecognisedStreams(doors.cluster())) {
      long zero = System.nanoTime();
      try (Ticker _ = Ticker.every(LOOK_EVERY, () -> look(doors, running, moments, zero))) {
        for (Reader reader : readers) {
          ReaderProcess process =
              ReaderProcess.start(reader, command(reader, doors), environment(keys), folder, zero);
          synchronized (running) {
            running.add(process);
          }
        }
        Map<Reader, Double> seconds = await(running, zero);
        TransparentResult.Run run =
            new TransparentResult.Run(
                mode,
                seconds,
                programBytes(),
                doors.storeBytes(),
                doors.storeReads(),
                moments,
                streams.known());
        listener.ended(run);
        return run;
      } finally {
        running.forEach(ReaderProcess::close);
      }
    }
  }

  private void look(
      DemoDoors doors,
      List<ReaderProcess> running,
      List<TransparentResult.Moment> moments,
      long zero) {
    double seconds = (System.nanoTime() - zero) / 1e9;
    long storeBytes = doors.storeBytes();
    moments.add(new TransparentResult.Moment(seconds, storeBytes));
    synchronized (running) {
      int done = (int) running.stream().filter(ReaderProcess::isDone).count();
      listener.running(seconds, done, storeBytes);
    }
  }

  private Map<Reader, Double> await(List<ReaderProcess> running, long zero)
      throws BenchmarkException, IOException, InterruptedException {
    long deadline = zero + options.patience(data.bytes()).toNanos();
    Map<Reader, Double> seconds = new EnumMap<>(Reader.class);
    for (ReaderProcess process : running) {
      seconds.put(process.reader(), process.await(deadline));
    }
    return seconds;
  }

  private List<String> command(Reader reader, DemoDoors doors) {
    Path part = doors.mountedAt().resolve(reader.folder());
    return switch (reader) {
      case SCAN -> shell("cat \"$0\"/*", part);
      case SLICE -> shell("cat \"$0\"/*/station-03.csv", part);
      case TRAINING ->
          python.command("train.py", part, options.epochs(), TRAINING_THREADS, options.seed());
      case QUERIES -> queries(doors, QUERIES_PER_TABLE * Reader.QUERIES.files(options.scale()));
    };
  }

  private List<String> queries(DemoDoors doors, int count) {
    return python.command(
        "queries.py",
        doors.endpoint(),
        BucketServer.BUCKET,
        Reader.QUERIES.folder(),
        Reader.QUERIES.files(options.scale()),
        count,
        QUERY_THREADS,
        options.seed());
  }

  private static List<String> shell(String script, Path folder) {
    return List.of("bash", "-c", script, folder.toString());
  }

  private static Map<String, String> environment(AccessKeys.KeyPair keys) {
    return Map.of(
        "AWS_ACCESS_KEY_ID", keys.accessKey(),
        "AWS_SECRET_ACCESS_KEY", reveal(keys.secretKey()),
        "AWS_EC2_METADATA_DISABLED", "true");
  }

  private static String reveal(Secret secret) {
    return secret.reveal();
  }

  /** Returns the bytes that all readers ask for; those of queries as their tables' mean. */
  private long programBytes() {
    long bytes = 0;
    for (Reader reader : Reader.values()) {
      long part = data.bytes(reader);
      bytes +=
          switch (reader) {
            case SCAN -> part;
            case TRAINING -> options.epochs() * part;
            case QUERIES -> QUERIES_PER_TABLE * part;
            case SLICE -> part / Reader.STATIONS;
          };
    }
    return bytes;
  }
}
