package io.quiver.benchmarks.serve;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.BenchmarkListener;
import io.quiver.benchmarks.load.LoadGenerator.LoadShape;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.serve.Contenders.Contender;
import io.quiver.benchmarks.serve.ServeResult.PeerSpeed;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures warm batch reads of Quiver and its peers in one interleaved run: in every round each
 * workload is given to each peer for a short slice, so that whatever else the machine does hits all
 * of them alike.
 */
public final class ServeBenchmark {
  /** Kept back for ending processes and deleting files. */
  private static final double CLEANUP_SECONDS = 2;

  /** The time a slice costs besides itself: a process, its connections, its maps. */
  private static final double SLICE_OVERHEAD_SECONDS = 0.08;

  private static final double WARM_SHARE = 0.2;
  private static final double WARM_UP_SHARE = 0.4;
  private static final double LONGEST_WARM_UP_SECONDS = 20;
  private static final double SHORTEST_SLICE_SECONDS = 0.1;
  private static final double LONGEST_SLICE_SECONDS = 2;

  private final ServeBenchmarkOptions options;
  private final BenchmarkListener listener;
  private final long start = System.nanoTime();
  private final List<Map<Peer, SpeedSamples>> tallies = new ArrayList<>();

  private ServeBenchmark(ServeBenchmarkOptions options, BenchmarkListener listener) {
    this.options = options;
    this.listener = listener;
  }

  /**
   * Runs everything. Processes are ended and data is deleted before this returns, also when it
   * fails or the JVM is told to stop.
   */
  public static List<ServeResult> run(ServeBenchmarkOptions options, BenchmarkListener listener)
      throws BenchmarkException, InterruptedException {
    try (Workbench workbench = Workbench.in(options.directory())) {
      return new ServeBenchmark(options, listener).measure(workbench);
    }
  }

  private List<ServeResult> measure(Workbench workbench)
      throws BenchmarkException, InterruptedException {
    listener.step(0, "compiling the load generator");
    NativePrograms programs = NativePrograms.compile(workbench);
    listener.step(0.02, "making blobs");
    List<BlobSet> sets = new ArrayList<>();
    for (ServeWorkload workload : options.workloads()) {
      sets.add(BlobSet.create(workbench, workload.bytes(), workload.blobs(), options.seed()));
    }
    Map<Peer, Contender> contenders =
        Contenders.start(workbench, programs, sets, options.peers(), listener);
    warm(contenders, sets);
    measureRounds(contenders, sets);
    return results();
  }

  /**
   * Runs Java servers until they are compiled; all others are ready at once. A cache server runs
   * for weeks, so it is measured compiled: that takes it seconds of its most demanding work, the
   * smallest blobs.
   */
  private void warm(Map<Peer, Contender> contenders, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    double seconds = Math.clamp(remaining() * WARM_UP_SHARE, 1, LONGEST_WARM_UP_SECONDS);
    warm(Peer.QUIVER, contenders.get(Peer.QUIVER), sets, seconds * 0.75);
    warm(Peer.QUIVER_JAVA, contenders.get(Peer.QUIVER_JAVA), sets, seconds * 0.25);
  }

  private void warm(Peer peer, @Nullable Contender contender, List<BlobSet> sets, double seconds)
      throws BenchmarkException, InterruptedException {
    for (int i = 0; contender != null && i < sets.size(); i++) {
      listener.step(elapsed() / limit(), "warming " + peer.label());
      double share = (i == 0 ? 0.6 : 0.4 / (sets.size() - 1)) * seconds;
      contender.measure(
          sets.get(i), LoadShape.full(options.workloads().get(i).batch(), 0, share, 0));
    }
  }

  private void measureRounds(Map<Peer, Contender> contenders, List<BlobSet> sets)
      throws BenchmarkException, InterruptedException {
    int left = options.rounds() * sets.size() * contenders.size();
    sets.forEach(set -> tallies.add(new EnumMap<>(Peer.class)));
    // The first round always comes to its end, so that every peer has a figure.
    for (int round = 0; round < options.rounds() && (round == 0 || remaining() > 0); round++) {
      for (int i = 0; i < sets.size(); i++) {
        for (Map.Entry<Peer, Contender> entry : contenders.entrySet()) {
          listener.step(
              elapsed() / limit(),
              "round "
                  + (round + 1)
                  + ", "
                  + options.workloads().get(i)
                  + ", "
                  + entry.getKey().label());
          double slice = remaining() / left-- - SLICE_OVERHEAD_SECONDS;
          measureSlice(entry.getKey(), entry.getValue(), i, sets.get(i), slice, round);
        }
      }
    }
  }

  private void measureSlice(
      Peer peer, Contender contender, int workload, BlobSet set, double slice, int round)
      throws BenchmarkException, InterruptedException {
    double seconds = Math.clamp(slice, SHORTEST_SLICE_SECONDS, LONGEST_SLICE_SECONDS);
    int batch = options.workloads().get(workload).batch();
    LoadShape shape =
        LoadShape.full(
            batch, seconds * WARM_SHARE, seconds * (1 - WARM_SHARE), options.seed() + round);
    tallies
        .get(workload)
        .computeIfAbsent(peer, p -> new SpeedSamples())
        .add(contender.measure(set, shape));
  }

  private List<ServeResult> results() {
    List<ServeResult> results = new ArrayList<>();
    for (int i = 0; i < tallies.size(); i++) {
      Map<Peer, PeerSpeed> speeds = new EnumMap<>(Peer.class);
      tallies.get(i).forEach((peer, tally) -> speeds.put(peer, tally.speed()));
      results.add(new ServeResult(options.workloads().get(i), speeds));
    }
    listener.step(1, "done");
    return results;
  }

  private double limit() {
    return options.limit().toMillis() / 1e3;
  }

  private double elapsed() {
    return (System.nanoTime() - start) / 1e9;
  }

  private double remaining() {
    return limit() - CLEANUP_SECONDS - elapsed();
  }

  /** Collects the slices of one peer on one workload. */
  static final class SpeedSamples {
    private final List<LoadResult> slices = new ArrayList<>();

    void add(LoadResult slice) {
      slices.add(slice);
    }

    boolean isEmpty() {
      return slices.isEmpty();
    }

    /** Returns the median slice's speed; processor time over all slices, whose clock is coarse. */
    PeerSpeed speed() {
      double[] speeds =
          slices.stream().mapToDouble(LoadResult::gigabytesPerSecond).sorted().toArray();
      int middle = speeds.length / 2;
      double median =
          speeds.length % 2 == 1 ? speeds[middle] : (speeds[middle - 1] + speeds[middle]) / 2;
      double gigabytes = slices.stream().mapToDouble(LoadResult::gigabytes).sum();
      return new PeerSpeed(
          median,
          slices.stream().mapToDouble(LoadResult::serverCpuSeconds).sum() / gigabytes,
          slices.stream().mapToDouble(LoadResult::clientCpuSeconds).sum() / gigabytes);
    }
  }
}
