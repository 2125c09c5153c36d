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

/**
 * Batch reads of blobs that are on disk only, beside fio. Every round reads blobs of its own, once,
 * because what has been read is warm; rounds of both alternate. Before the rounds the server is
 * warmed on other blobs, and restarted caches are emptied twice: recovery reads headers.
 */
final class ColdSection {
  private static final double TARGET = 0.6;
  private static final int ROUNDS = 3;

  /** Not counted: the compiler has to see cold reads before they are measured. */
  private static final int WARM_ROUNDS = 3;

  private static final double FIO_SECONDS = 0.7;

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
    findings.add(measure(fio, generator, 20_000, 512, 0));
    findings.add(measure(fio, generator, 150_000, 128, 0.5));
    return findings;
  }

  private Measurement measure(Fio fio, LoadGenerator generator, int bytes, int batch, double done)
      throws BenchmarkException, InterruptedException {
    listener.step(done, "storing blobs of " + bytes / 1000 + " KB");
    int count = (int) (setBytes() / bytes) / (2 * batch) * (2 * batch);
    BlobSet warm = BlobSet.create(workbench, "warm-" + bytes, bytes, 4 * batch, options.seed());
    List<BlobSet> cold = new ArrayList<>();
    for (int round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
      String name = "cold-" + bytes + "-" + round;
      cold.add(BlobSet.create(workbench, name, bytes, count, options.seed() + 1 + round));
    }
    List<BlobSet> all = new ArrayList<>(cold);
    all.add(warm);
    QuiverServer server = QuiverServer.start(workbench, "cold-" + bytes, all);
    listener.step(done + 0.2, "warming the server");
    generator.run("warm", server.target(warm), warm, LoadShape.full(batch, 0, warmSeconds(), 1));
    Measurement finding = compare(fio, generator, server, cold, batch, done);
    workbench.stop(server.process());
    return finding;
  }

  private Measurement compare(
      Fio fio,
      LoadGenerator generator,
      QuiverServer server,
      List<BlobSet> cold,
      int batch,
      double done)
      throws BenchmarkException, InterruptedException {
    List<Double> ours = new ArrayList<>();
    List<Double> disk = new ArrayList<>();
    int bytes = cold.getFirst().bytes();
    for (BlobSet set : cold) {
      listener.step(done + 0.3, "round " + (ours.size() + 1) + " with " + bytes / 1000 + " KB");
      PageCache.drop(workbench, workbench.directory());
      disk.add(fio.randomReads(set.items(), bytes, FIO_SECONDS));
      LoadResult result =
          generator.run("cold", server.target(set), set, LoadShape.once(batch, options.seed()));
      ours.add(result.gigabytesPerSecond());
    }
    return Measurement.ratioAtLeast(
        "cold batch get, " + batch + " x " + bytes / 1000 + " KB",
        Median.of(ours.subList(WARM_ROUNDS, ours.size())),
        "GB/s",
        "fio direct reads, 16 in flight",
        Median.of(disk.subList(WARM_ROUNDS, disk.size())),
        TARGET);
  }

  private long setBytes() {
    return options.quick() ? 200_000_000L : 500_000_000L;
  }

  private double warmSeconds() {
    return options.quick() ? 3 : 6;
  }
}
