package io.quiver.remote.s3;

import com.sun.management.OperatingSystemMXBean;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.S3Config;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Reads objects with one client and prints, in one line, the microseconds of processor time for
 * each: without the threads of Java's compiler, which are busy in short runs only, and with them.
 * Arguments: the contender, the endpoint, objects, bytes of each, how many to read.
 */
public final class S3ReadProcess {
  private static final int READERS = 16; // as many as a loader has at most
  private static final int STEP = 7919; // a prime, so that all objects are read in turn

  private S3ReadProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    S3Config s3 =
        S3Config.DEFAULT.withEndpoint(URI.create(arguments[1])).withRegion("us-east-1");
    S3Contender.Reader reader =
        S3Contender.valueOf(arguments[0])
            .open(
                RemoteConfig.DEFAULT.withS3(s3), S3TestServer.keys("the-key", "the-secret"));
    int objects = Integer.parseInt(arguments[2]);
    int bytes = Integer.parseInt(arguments[3]);
    int reads = Integer.parseInt(arguments[4]);
    read(reader, objects, bytes, reads / 2); // warms up
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long compiler = compilerNanos();
    long before = system.getProcessCpuTime();
    read(reader, objects, bytes, reads);
    double all = system.getProcessCpuTime() - before;
    double own = all - (compilerNanos() - compiler);
    System.out.printf(Locale.ROOT, "%.0f %.0f%n", own / 1e3 / reads, all / 1e3 / reads);
    System.out.flush();
    Runtime.getRuntime().halt(0); // some of the clients have threads that nobody can end
  }

  private static void read(S3Contender.Reader reader, int objects, int bytes, int reads)
      throws Exception {
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(
            threads.submit(() -> {
              byte[] target = new byte[bytes];
              for (int n = next.getAndIncrement(); n < reads; n = next.getAndIncrement()) {
                int object = (int) ((long) n * STEP % objects);
                reader.read(Integer.toString(object), target);
                if (target[0] != (byte) object || target[bytes - 1] != (byte) object) {
                  throw new IOException("object " + object + " is another");
                }
              }
              return null;
            }));
      }
      for (Future<?> each : readers) {
        each.get();
      }
    }
  }

  private static long compilerNanos() throws IOException {
    try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
      return threads.mapToLong(S3ReadProcess::compilerNanos).sum();
    }
  }

  private static long compilerNanos(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).matches("C[12] Compiler.*\\s*")
          ? Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0])
          : 0;
    } catch (IOException e) {
      return 0; // the thread has ended meanwhile
    }
  }
}
