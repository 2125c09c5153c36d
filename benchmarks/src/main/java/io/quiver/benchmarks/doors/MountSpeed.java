package io.quiver.benchmarks.doors;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.doors.DoorsRow.Goal;
import io.quiver.benchmarks.doors.MountRun.Reading;
import io.quiver.benchmarks.workbench.Workbench;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Measures the mount: warm files, a warm scan, and a scan of a store with a known bandwidth. */
final class MountSpeed {
  private static final int SMALL_BYTES = 100_000;
  private static final int READERS = 8;
  private static final int SMALL_BLOCK = 128 << 10;
  private static final int LARGE_BLOCK = 1 << 20;
  private static final long STORE_BYTES_PER_SECOND = 200_000_000;
  private static final double MICROS = 1e6;
  private static final String BARE = "bare jfuse mount, from memory";

  private final Workbench workbench;
  private final Path program;
  private final boolean quick;
  private final BenchmarkListener listener;

  MountSpeed(Workbench workbench, Path program, boolean quick, BenchmarkListener listener) {
    this.workbench = workbench;
    this.program = program;
    this.quick = quick;
    this.listener = listener;
  }

  List<DoorsRow> run() throws BenchmarkException, InterruptedException {
    List<DoorsRow> rows = new ArrayList<>();
    MadeFiles small = new MadeFiles(quick ? 4_000 : 10_000, SMALL_BYTES);
    Best files = compare("files", small, READERS, SMALL_BLOCK, 0);
    rows.add(
        new DoorsRow(
            "mount",
            small.count() + " files of 100 KB, warm, " + READERS + " readers",
            small.count() / files.ours.seconds(),
            small.count() / files.bare.seconds(),
            BARE,
            "files/s",
            files.ours.cpuSecondsPerGigabyte(),
            Goal.atLeast(0.8)));
    MadeFiles large = new MadeFiles(1, quick ? 400_000_000 : 1_000_000_000);
    Best scan = compare("scan", large, 1, LARGE_BLOCK, 0.4);
    rows.add(
        new DoorsRow(
            "mount",
            small.count() + " files of 100 KB, warm, " + READERS + " readers",
            small.count() / files.ours.seconds(),
            small.count() / files.plain.seconds(),
            S3Speed.WITHOUT_STREAMS,
            "files/s",
            files.ours.cpuSecondsPerGigabyte(),
            Goal.atLeast(S3Speed.STREAMS_TARGET)));
    rows.add(
        new DoorsRow(
            "mount",
            "processor time of a file of 100 KB",
            files.ours.cpuSeconds() / small.count() * MICROS,
            files.plain.cpuSeconds() / small.count() * MICROS,
            S3Speed.WITHOUT_STREAMS,
            "us",
            files.ours.cpuSecondsPerGigabyte(),
            Goal.atMost(1 / S3Speed.STREAMS_TARGET)));
    rows.add(
        new DoorsRow(
            "mount",
            "sequential read, warm",
            scan.ours.gigabytesPerSecond(),
            scan.bare.gigabytesPerSecond(),
            BARE,
            "GB/s",
            scan.ours.cpuSecondsPerGigabyte(),
            Goal.atLeast(0.8)));
    rows.add(coldScan());
    return rows;
  }

  /** The best readings of our mount, of it without streams, and of the bare one. */
  private record Best(Reading ours, Reading plain, Reading bare) {}

  /** Reads the same files through all mounts in turn and keeps the best of each. */
  private Best compare(String name, MadeFiles files, int readers, int block, double done)
      throws BenchmarkException, InterruptedException {
    listener.step(done, "mounting: " + name);
    try (MountRun ours = ours(name, files, "0", "on");
        MountRun plain = ours(name + "-plain", files, "0", "off");
        MountRun bare =
            MountRun.start(workbench, program, name + "-bare", JfuseProcess.class, files)) {
      List<Reading> best = new ArrayList<>();
      int warmUps = quick ? 3 : 5;
      int rounds = warmUps + (quick ? 4 : 8);
      for (int round = 0; round < rounds; round++) {
        listener.step(done + 0.4 * round / rounds, name + ", round " + (round + 1));
        Reading mine = ours.read(readers, block, round);
        Reading others = plain.read(readers, block, round);
        Reading theirs = bare.read(readers, block, round);
        if (round == warmUps) {
          best.addAll(List.of(mine, others, theirs));
        } else if (round > warmUps) {
          best.set(0, faster(best.get(0), mine));
          best.set(1, faster(best.get(1), others));
          best.set(2, faster(best.get(2), theirs));
        }
      }
      return new Best(best.get(0), best.get(1), best.get(2));
    }
  }

  private MountRun ours(String name, MadeFiles files, String bytesPerSecond, String streams)
      throws BenchmarkException {
    return MountRun.start(
        workbench, program, name, MountProcess.class, files, bytesPerSecond, streams);
  }

  private static Reading faster(Reading one, Reading other) {
    return one.seconds() <= other.seconds() ? one : other;
  }

  /**
   * Reads a file that nobody has read, from a store that gives 200 MB/s, beside the store alone.
   */
  private DoorsRow coldScan() throws BenchmarkException, InterruptedException {
    MadeFiles file = new MadeFiles(1, quick ? 200_000_000 : 600_000_000);
    Reading best = new Reading(Double.MAX_VALUE, 1, 0);
    double alone = 0;
    for (int round = 0; round < (quick ? 2 : 3); round++) {
      listener.step(0.8 + 0.06 * round, "cold scan, round " + (round + 1));
      try (MountRun ours =
          ours("cold-" + round, file, Long.toString(STORE_BYTES_PER_SECOND), "on")) {
        best = faster(best, ours.read(1, LARGE_BLOCK, round));
      }
      alone = Math.max(alone, storeAlone(file));
    }
    return new DoorsRow(
        "mount",
        "sequential read, cold, store of 200 MB/s",
        best.gigabytesPerSecond(),
        alone,
        "the store alone",
        "GB/s",
        best.cpuSecondsPerGigabyte(),
        Goal.atLeast(0.9));
  }

  private static double storeAlone(MadeFiles file) throws BenchmarkException {
    byte[] buffer = new byte[LARGE_BLOCK];
    long start = System.nanoTime();
    try (RemoteStore store = MountProcess.store(file, STORE_BYTES_PER_SECOND);
        InputStream in = store.open(MadeFiles.name(0), 0, file.bytes())) {
      long length = 0;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        length += count;
      }
      return length / ((System.nanoTime() - start) / 1e9) / 1e9;
    } catch (IOException e) {
      throw new BenchmarkException("the store alone cannot be read: " + e.getMessage(), e);
    }
  }
}
