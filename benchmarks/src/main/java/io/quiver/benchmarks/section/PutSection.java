package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.peer.QuiverServer;
import io.quiver.benchmarks.section.Measurement.Median;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Inserts with verification, into the store alone and through client and server, beside the slower
 * of what every insert must do: hash its bytes and write them. Rounds of all five alternate.
 */
final class PutSection {
  private static final double TARGET = 0.8;
  private static final int BLOB_BYTES = 150_000;

  /** Not counted: the compilers of two processes have to see inserts before they are measured. */
  private static final int WARM_SETS = 3;

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;
  private final List<Double> hash = new ArrayList<>();
  private final List<Double> disk = new ArrayList<>();
  private final List<Double> pageCache = new ArrayList<>();
  private final List<Double> store = new ArrayList<>();
  private final List<Double> client = new ArrayList<>();

  PutSection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Measurement> run() throws BenchmarkException, InterruptedException {
    int rounds = options.quick() ? 2 : 3;
    int count = options.quick() ? 1_000 : 2_500;
    List<BlobSet> sets = new ArrayList<>();
    for (int i = 0; i <= WARM_SETS; i++) {
      sets.add(BlobSet.create(workbench, "put-" + i, BLOB_BYTES, count, options.seed() + i));
    }
    long bytes = sets.getLast().setBytes();
    Fio fio = Fio.in(workbench);
    for (int round = 0; round < rounds; round++) {
      listener.step((double) round / rounds, "round " + (round + 1));
      hash.add(measure("hash", "-", sets));
      disk.add(fio.sequentialWrite(bytes));
      pageCache.add(fio.bufferedWrite(bytes));
      Path folder = workbench.folder("store-" + round);
      store.add(measure("store", folder.toString(), sets));
      Workbench.delete(folder);
      client.add(throughServer(workbench.folder("server-" + round), sets));
    }
    return findings();
  }

  private double throughServer(Path folder, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    QuiverServer server = QuiverServer.start(workbench, folder, 16L << 30, List.of());
    double speed = measure("client", Integer.toString(server.port()), sets);
    workbench.stop(server.process());
    Workbench.delete(folder);
    return speed;
  }

  private double measure(String what, String where, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(what, where));
    sets.forEach(set -> arguments.add(set.toArgument()));
    String output = workbench.run("put-" + what, Jvm.command(PutProcess.class, arguments), LIMIT);
    try {
      return Double.parseDouble(output.strip());
    } catch (NumberFormatException e) {
      throw new BenchmarkException("the put process printed \"" + output.strip() + "\"", e);
    }
  }

  private List<Measurement> findings() {
    double write = Math.min(Median.of(disk), Median.of(pageCache));
    double limit = Math.min(Median.of(hash), write);
    String name = limit < write ? "SHA-256" : "sequential write";
    return List.of(
        Measurement.plain("SHA-256 on all processors", Median.of(hash), "GB/s"),
        Measurement.plain("sequential direct write (fio)", Median.of(disk), "GB/s"),
        Measurement.plain("sequential write to the page cache (fio)", Median.of(pageCache), "GB/s"),
        Measurement.ratioAtLeast(
            "put into the store, 150 KB", Median.of(store), "GB/s", name, limit, TARGET),
        Measurement.ratioAtLeast(
            "put through client and server, 150 KB",
            Median.of(client),
            "GB/s",
            name,
            limit,
            TARGET));
  }
}
