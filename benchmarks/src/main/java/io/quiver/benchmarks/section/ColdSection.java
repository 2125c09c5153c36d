package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.load.LoadGenerator;
import io.quiver.benchmarks.load.LoadGenerator.LoadShape;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.peer.QuiverServer;
import io.quiver.benchmarks.section.Measurement.Median;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Batch reads of blobs that are on disk only, beside fio. Every round reads blobs of its own, once,
 * because what has been read is warm; rounds of both alternate. Before the rounds the server reads
 * other blobs, warm ones and many small cold ones, so that the Java compiler has seen most of it.
 */
final class ColdSection {
  private static final double TARGET = 0.6;
  private static final double CPU_TARGET = 0.5;
  private static final int ROUNDS = 5;

  /** Not counted: the first blobs of that length. */
  private static final int FIRST_ROUNDS = 1;

  private static final int CONNECTIONS = 4;

  /** The faster counts: some disks need many reads, others slow down under them. */
  private static final int[] FIO_IN_FLIGHT = {16, 128};

  private static final int SMALL_BYTES = 4_000;
  private static final int SMALL_BATCH = 64;

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;

  ColdSection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Measurement> run() throws BenchmarkException, InterruptedException {
    Fio fio = Fio.in(workbench);
    NativePrograms programs = NativePrograms.compile(workbench);
    LoadGenerator generator = new LoadGenerator(workbench, programs.loadGenerator());
    List<Measurement> findings = new ArrayList<>();
    findings.addAll(measure(fio, generator, 20_000, 512, 0));
    findings.addAll(measure(fio, generator, 150_000, 128, 0.5));
    return findings;
  }

  private List<Measurement> measure(
      Fio fio, LoadGenerator generator, int bytes, int batch, double done)
      throws BenchmarkException, InterruptedException {
    listener.step(done, "storing blobs of " + bytes / 1000 + " KB");
    BlobSet warm = BlobSet.create(workbench, "warm-" + bytes, bytes, 4 * batch, options.seed());
    BlobSet small =
        BlobSet.create(
            workbench, "small-" + bytes, SMALL_BYTES, 1024 * SMALL_BATCH, options.seed());
    int whole = CONNECTIONS * batch;
    int count = (int) (setBytes() / bytes) / whole * whole;
    List<BlobSet> cold = new ArrayList<>();
    for (int round = 0; round < FIRST_ROUNDS + ROUNDS; round++) {
      String name = "cold-" + bytes + "-" + round;
      cold.add(BlobSet.create(workbench, name, bytes, count, options.seed() + 1 + round));
    }
    List<BlobSet> all = new ArrayList<>(cold);
    all.add(small);
    all.add(warm);
    QuiverServer server = QuiverServer.start(workbench, "cold-" + bytes, all);
    listener.step(done + 0.2, "warming the server");
    generator.run("warm", server.target(warm), warm, LoadShape.full(batch, 0, warmSeconds(), 1));
    PageCache.drop(workbench, workbench.directory());
    generator.run("small", server.target(small), small, LoadShape.once(SMALL_BATCH, 1));
    List<ColdRound> rounds = new ArrayList<>();
    for (BlobSet set : cold) {
      double share = (double) rounds.size() / cold.size();
      listener.step(
          done + 0.3 + 0.2 * share,
          "round " + (rounds.size() + 1) + " with " + bytes / 1000 + " KB");
      rounds.add(round(fio, generator, server, set, batch));
    }
    workbench.stop(server.process());
    return findings(
        batch + " x " + bytes / 1000 + " KB", rounds.subList(FIRST_ROUNDS, rounds.size()));
  }

  private ColdRound round(
      Fio fio, LoadGenerator generator, QuiverServer server, BlobSet set, int batch)
      throws BenchmarkException, InterruptedException {
    PageCache.drop(workbench, workbench.directory());
    double disk = 0;
    for (int inFlight : FIO_IN_FLIGHT) {
      disk = Math.max(disk, fio.randomReads(set.items(), set.bytes(), inFlight));
    }
    ProcessAccount account = new ProcessAccount(server.process().pid());
    long read = account.bytesFromDisk();
    double compiled = account.compilerSeconds();
    LoadResult result =
        generator.run("cold", server.target(set), set, LoadShape.once(batch, options.seed()));
    double cpu = result.serverCpuSeconds() - (account.compilerSeconds() - compiled);
    return new ColdRound(
        result.gigabytesPerSecond(),
        disk,
        cpu / result.gigabytes(),
        (double) (account.bytesFromDisk() - read) / result.bytes());
  }

  /**
   * The figures of one round.
   *
   * @param served gigabytes per second that the server delivered
   * @param disk gigabytes per second that fio read at its best
   * @param cpu the server's processor seconds per gigabyte, the Java compiler's left out
   * @param fromDisk bytes that the server had the disk read, per byte delivered
   */
  record ColdRound(double served, double disk, double cpu, double fromDisk) {}

  /** Returns the findings about one kind of batch: speed, processor time, and that it was cold. */
  static List<Measurement> findings(String work, List<ColdRound> rounds) {
    return List.of(
        Measurement.ratioAtLeast(
            "cold batch get, " + work,
            median(rounds, ColdRound::served),
            "GB/s",
            "fio direct reads",
            median(rounds, ColdRound::disk),
            TARGET),
        Measurement.atMost(
            "processor time of the server, " + work,
            median(rounds, ColdRound::cpu),
            "s/GB",
            CPU_TARGET),
        Measurement.atLeast(
            "read from the disk, " + work,
            median(rounds, ColdRound::fromDisk),
            "bytes per byte served",
            1));
  }

  private static double median(List<ColdRound> rounds, ToDoubleFunction<ColdRound> figure) {
    return Median.of(rounds.stream().mapToDouble(figure).boxed().toList());
  }

  private long setBytes() {
    return options.quick() ? 200_000_000L : 500_000_000L;
  }

  private double warmSeconds() {
    return options.quick() ? 3 : 6;
  }
}
