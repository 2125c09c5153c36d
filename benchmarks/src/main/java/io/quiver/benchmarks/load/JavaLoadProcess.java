package io.quiver.benchmarks.load;

import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.ClientConfig;
import io.quiver.client.GetRequest;
import io.quiver.client.GetRequest.Verification;
import io.quiver.core.hash.ContentHash;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Drives the Java client in a process of its own: for each line "set batch warm seconds seed" on
 * standard input, asks for batches on a few threads, checks one payload of each against the
 * original and prints what the load generator in C prints.
 *
 * <p>Arguments: the server's port and process id, then one argument for each set. The system
 * properties {@code quiver.bench.threads} (2) and {@code quiver.bench.verification} (crc32c) tell
 * how.
 */
public final class JavaLoadProcess {
  private static final int THREADS = Integer.getInteger("quiver.bench.threads", 2);
  private static final Verification VERIFICATION =
      Verification.valueOf(
          System.getProperty("quiver.bench.verification", "crc32c").toUpperCase(Locale.ROOT));

  private final CacheClient client;
  private final ProcessHandle server;
  private final BlobSet set;
  private final ContentHash[] hashes;
  private final ByteBuffer content;

  private JavaLoadProcess(CacheClient client, ProcessHandle server, BlobSet set) throws Exception {
    this.client = client;
    this.server = server;
    this.set = set;
    this.hashes = set.hashes();
    this.content = set.content();
  }

  /** Runs the process until its standard input ends. */
  public static void main(String[] arguments) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + arguments[0]);
    ProcessHandle server = ProcessHandle.of(Long.parseLong(arguments[1])).orElseThrow();
    try (CacheClient client = CacheClient.connect(ClientConfig.of(List.of(uri)));
        BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      List<JavaLoadProcess> loads = new ArrayList<>();
      for (int i = 2; i < arguments.length; i++) {
        loads.add(new JavaLoadProcess(client, server, BlobSet.fromArgument(arguments[i])));
      }
      for (String line = commands.readLine(); line != null; line = commands.readLine()) {
        String[] words = line.split(" ", -1);
        JavaLoadProcess load = loads.get(Integer.parseInt(words[0]));
        System.out.println(
            load.run(
                Integer.parseInt(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                Long.parseLong(words[4])));
        System.out.flush();
      }
    }
  }

  private String run(int batch, double warm, double seconds, long seed) throws Exception {
    int[] order = ReadingOrder.of(set.count(), seed);
    readFor(order, batch, warm);
    long start = System.nanoTime();
    double serverCpu = cpu(server);
    double clientCpu = cpu(ProcessHandle.current());
    long batches = readFor(order, batch, seconds);
    return String.format(
        Locale.ROOT,
        "%d %.6f %d %.6f %.6f",
        batches * batch * set.bytes(),
        (System.nanoTime() - start) / 1e9,
        batches,
        cpu(ProcessHandle.current()) - clientCpu,
        cpu(server) - serverCpu);
  }

  private static double cpu(ProcessHandle process) {
    return process.info().totalCpuDuration().map(d -> d.toNanos() / 1e9).orElse(Double.NaN);
  }

  private long readFor(int[] order, int batch, double seconds) throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    List<Callable<Long>> readers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = (int) ((long) set.count() * i / THREADS);
      readers.add(() -> readUntil(end, order, first, batch));
    }
    long batches = 0;
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Long> reader : executor.invokeAll(readers)) {
        batches += reader.get();
      }
    }
    return batches;
  }

  private long readUntil(long end, int[] order, int first, int batch) {
    long batches = 0;
    int at = first;
    while (System.nanoTime() - end < 0) {
      List<ContentHash> wanted = new ArrayList<>(batch);
      for (int i = 0; i < batch; i++) {
        wanted.add(hashes[order[(at + i) % order.length]]);
      }
      try (BlobAnswer answer = client.get(GetRequest.all(wanted).verifiedBy(VERIFICATION))) {
        int sample = (int) (batches % batch);
        check(answer, batch, sample, order[(at + sample) % order.length]);
      }
      at = (at + batch) % order.length;
      batches++;
    }
    return batches;
  }

  private void check(BlobAnswer answer, int batch, int sample, int blob) {
    if (answer.hits() != batch || answer.hitBytes() != (long) batch * set.bytes()) {
      throw new IllegalStateException(
          "only " + answer.hits() + " of " + batch + " blobs came; " + answer.failures());
    }
    if (!answer.bytes(sample).equals(set.blob(content, blob))) {
      throw new IllegalStateException("a payload is not the blob that was asked for");
    }
  }

  /** The order blobs are read in: the same permutation that the load generator in C makes. */
  static final class ReadingOrder {
    private long state;

    private ReadingOrder(long seed) {
      state = seed;
    }

    /** Numbers from 0 to count, shuffled as the seed says. */
    static int[] of(int count, long seed) {
      ReadingOrder random = new ReadingOrder(seed);
      int[] order = new int[count];
      for (int i = 0; i < count; i++) {
        order[i] = i;
      }
      for (int i = count - 1; i > 0; i--) {
        int j = (int) Long.remainderUnsigned(random.next(), i + 1L);
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
      }
      return order;
    }

    private long next() {
      long z = state += 0x9e3779b97f4a7c15L;
      z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
      z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
      return z ^ (z >>> 31);
    }
  }
}
