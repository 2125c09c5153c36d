package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.doors.DoorsRow.Goal;
import io.quiver.benchmarks.workbench.FirstLine;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/**
 * Measures the S3 endpoint over a store that answers late: the time to the first byte of an object
 * that nobody has read, and a listing of all keys with little memory.
 */
final class SlowS3Speed {
  private static final String ACCESS_KEY = "AKIABENCHMARKBENCH00";
  private static final String SECRET = "a-secret-of-this-benchmark-only";
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private static final int OBJECT_BYTES = 1_000_000;
  private static final Duration LATENCY = Duration.ofMillis(50);
  private static final double MOST_ADDED_MILLIS = 5;
  private static final int WARM_UP_CONNECTIONS = 16;

  private static final Duration PAGE_LATENCY = Duration.ofMillis(50);
  private static final int HEAP_MEGABYTES = 64;

  private final Workbench workbench;
  private final boolean quick;
  private final BenchmarkListener listener;

  SlowS3Speed(Workbench workbench, boolean quick, BenchmarkListener listener) {
    this.workbench = workbench;
    this.quick = quick;
    this.listener = listener;
  }

  List<DoorsRow> run() throws BenchmarkException, InterruptedException {
    return List.of(firstByte(), listing());
  }

  /** An endpoint that runs. */
  private record Endpoint(Process process, int port, Workbench workbench) implements AutoCloseable {
    double cpuSeconds() {
      return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }

    @Override
    public void close() {
      workbench.stop(process);
    }
  }

  private Endpoint start(
      String name, List<String> options, MadeFiles files, Duration latency, boolean streams)
      throws BenchmarkException {
    List<String> arguments =
        List.of(
            Integer.toString(files.count()),
            Long.toString(files.bytes()),
            Long.toString(latency.toMillis()),
            ACCESS_KEY,
            SECRET,
            Boolean.toString(streams));
    Process process =
        workbench.start(name, Jvm.command(SlowS3Process.class, options, arguments), true);
    try {
      int port = Integer.parseInt(FirstLine.of(name, process, START));
      return new Endpoint(process, port, workbench);
    } catch (BenchmarkException | NumberFormatException e) {
      workbench.stop(process);
      throw new BenchmarkException(
          "the S3 endpoint did not start: " + workbench.complaint(name), e);
    }
  }

  /**
   * Reads objects one after the other, each for the first time, in turns with the store alone. The
   * endpoint has served other objects before, as one that has run for some seconds. It recognises
   * no streams, or it would have read these objects ahead.
   */
  private DoorsRow firstByte() throws BenchmarkException, InterruptedException {
    int warmUps = quick ? 320 : 960;
    int timed = quick ? 20 : 60;
    MadeFiles files = new MadeFiles(warmUps + timed, OBJECT_BYTES);
    double[] ours = new double[timed];
    double[] alone = new double[timed];
    try (Endpoint endpoint = start("slow-s3", List.of(), files, LATENCY, false);
        RemoteStore store = SlowS3Process.store(files, LATENCY);
        PlainConnection connection = new PlainConnection(endpoint.port, LONGEST)) {
      List<String> paths =
          new S3Objects(Path.of(""), "", files).signedPaths(endpoint.port, ACCESS_KEY, SECRET);
      listener.step(0.1, "reading other objects first");
      warmUp(endpoint, paths.subList(0, warmUps));
      for (int i = 0; i < timed; i++) {
        listener.step(0.2 + 0.2 * i / timed, "first bytes of cold objects");
        ours[i] = connection.firstByteMillis(paths.get(warmUps + i));
        alone[i] = fromStore(store, warmUps + i);
      }
      double mine = median(ours);
      double theirs = median(alone);
      return new DoorsRow(
          "s3",
          "first byte of a cold object of 1 MB",
          mine,
          theirs,
          "the store alone",
          "ms",
          endpoint.cpuSeconds() / (files.count() * OBJECT_BYTES / 1e9),
          Goal.atMost((theirs + MOST_ADDED_MILLIS) / theirs));
    } catch (IOException e) {
      throw new BenchmarkException("a cold object cannot be read: " + e.getMessage(), e);
    }
  }

  private static void warmUp(Endpoint endpoint, List<String> paths)
      throws IOException, InterruptedException {
    ConcurrentLinkedQueue<String> left = new ConcurrentLinkedQueue<>(paths);
    List<Future<Void>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(WARM_UP_CONNECTIONS)) {
      for (int i = 0; i < WARM_UP_CONNECTIONS; i++) {
        readers.add(
            threads.submit(() -> {
              try (PlainConnection connection = new PlainConnection(endpoint.port, LONGEST)) {
                for (String path = left.poll(); path != null; path = left.poll()) {
                  connection.firstByteMillis(path);
                }
              }
              return null;
            }));
      }
      for (Future<Void> reader : readers) {
        reader.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("an object cannot be read: " + e.getCause(), e);
    }
  }

  private static double fromStore(RemoteStore store, int number) throws IOException {
    long begin = System.nanoTime();
    try (FirstBytes first = store.first(MadeFiles.name(number), OBJECT_BYTES)) {
      if (first.bytes().read() < 0) {
        throw new IOException("the store has no bytes");
      }
      return (System.nanoTime() - begin) / 1e6;
    }
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  /** Lists all keys page by page, beside the store alone, with a heap that could not hold them. */
  private DoorsRow listing() throws BenchmarkException {
    MadeFiles files = new MadeFiles(quick ? 100_000 : 1_000_000, 1_000);
    List<String> options = List.of("-Xmx" + HEAP_MEGABYTES + "m");
    listener.step(0.5, "listing " + files.count() + " keys");
    try (Endpoint endpoint = start("slow-listing", options, files, PAGE_LATENCY, true);
        S3Client client = client(endpoint);
        RemoteStore store = SlowS3Process.store(files, PAGE_LATENCY)) {
      list(client, Math.min(files.count(), 20_000));
      double before = endpoint.cpuSeconds();
      double mine = files.count() / list(client, files.count());
      double cpuSeconds = endpoint.cpuSeconds() - before;
      listener.step(0.8, "listing the store alone");
      double theirs = files.count() / list(store, files.count());
      double gigabytes = files.count() * (double) MadeFiles.name(0).length() / 1e9;
      return new DoorsRow(
          "s3",
          "listing of " + files.count() + " keys, heap of " + HEAP_MEGABYTES + " MB",
          mine,
          theirs,
          "the store alone",
          "keys/s",
          cpuSeconds / gigabytes,
          Goal.atLeast(0.9));
    } catch (IOException e) {
      throw new BenchmarkException("the keys cannot be listed: " + e.getMessage(), e);
    }
  }

  private static S3Client client(Endpoint endpoint) {
    return S3Client.builder()
        .region(Region.US_EAST_1)
        .endpointOverride(URI.create("http://127.0.0.1:" + endpoint.port))
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS_KEY, SECRET)))
        .build();
  }

  /** Returns the seconds that the pages of so many keys take. */
  private static double list(S3Client client, int keys) throws BenchmarkException {
    long begin = System.nanoTime();
    int seen = 0;
    ListObjectsV2Response page = client.listObjectsV2(asked -> asked.bucket(S3Process.BUCKET));
    seen += page.contents().size();
    while (page.isTruncated() && seen < keys) {
      String next = page.nextContinuationToken();
      page = client.listObjectsV2(asked -> asked.bucket(S3Process.BUCKET).continuationToken(next));
      seen += page.contents().size();
    }
    requireAll(seen, keys);
    return (System.nanoTime() - begin) / 1e9;
  }

  private static double list(RemoteStore store, int keys) throws IOException, BenchmarkException {
    long begin = System.nanoTime();
    int seen = 0;
    ListingRequest request = ListingRequest.all("");
    for (ListingPage page = store.page(request); ; page = store.page(request)) {
      seen += page.objects().size();
      String next = page.next();
      if (next == null) {
        break;
      }
      request = request.after(next);
    }
    requireAll(seen, keys);
    return (System.nanoTime() - begin) / 1e9;
  }

  private static void requireAll(int seen, int keys) throws BenchmarkException {
    if (seen < keys) {
      throw new BenchmarkException("a listing of " + keys + " keys had only " + seen);
    }
  }
}
