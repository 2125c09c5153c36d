package io.quiver.benchmarks.section;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.peer.QuiverServer;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.Jvm;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Inserts with verification, into the store alone and through client and server, beside the slower
 * of what every insert must do: hash its bytes and write them. Rounds of all four alternate.
 */
final class PutSection {
  private static final double TARGET = 0.8;
  private static final int BLOB_BYTES = 150_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Workbench workbench;
  private final SectionOptions options;
  private final BenchmarkListener listener;
  private final List<Double> hash = new ArrayList<>();
  private final List<Double> disk = new ArrayList<>();
  private final List<Double> store = new ArrayList<>();
  private final List<Double> client = new ArrayList<>();

  PutSection(Workbench workbench, SectionOptions options, BenchmarkListener listener) {
    this.workbench = workbench;
    this.options = options;
    this.listener = listener;
  }

  List<Finding> run() throws BenchmarkException, InterruptedException {
    int rounds = options.quick() ? 2 : 3;
    int count = options.quick() ? 2_000 : 5_000;
    BlobSet warm = BlobSet.create(workbench, "warm", BLOB_BYTES, count / 2, options.seed());
    BlobSet set = BlobSet.create(workbench, "put", BLOB_BYTES, count, options.seed() + 1);
    Fio fio = Fio.in(workbench);
    for (int round = 0; round < rounds; round++) {
      listener.step((double) round / rounds, "round " + (round + 1));
      hash.add(measure("hash", "-", warm, set));
      disk.add(fio.sequentialWrite(set.setBytes()));
      store.add(measure("store", workbench.folder("store-" + round).toString(), warm, set));
      QuiverServer server =
          QuiverServer.start(workbench, workbench.folder("server-" + round), 16L << 30, List.of());
      client.add(measure("client", Integer.toString(server.port()), warm, set));
      workbench.stop(server.process());
    }
    return findings();
  }

  private double measure(String what, String where, BlobSet warm, BlobSet set)
      throws BenchmarkException, InterruptedException {
    List<String> arguments = List.of(what, where, warm.toArgument(), set.toArgument());
    String output = workbench.run("put-" + what, Jvm.command(PutProcess.class, arguments), LIMIT);
    try {
      return Double.parseDouble(output.strip());
    } catch (NumberFormatException e) {
      throw new BenchmarkException("the put process printed \"" + output.strip() + "\"", e);
    }
  }

  private List<Finding> findings() {
    double limit = Math.min(Median.of(hash), Median.of(disk));
    String name = Median.of(hash) <= Median.of(disk) ? "SHA-256" : "sequential write";
    return List.of(
        Finding.plain("SHA-256 on all processors", Median.of(hash), "GB/s"),
        Finding.plain("sequential direct write (fio)", Median.of(disk), "GB/s"),
        Finding.ratioAtLeast(
            "put into the store, 150 KB", Median.of(store), "GB/s", name, limit, TARGET),
        Finding.ratioAtLeast(
            "put through client and server, 150 KB",
            Median.of(client),
            "GB/s",
            name,
            limit,
            TARGET));
  }
}
