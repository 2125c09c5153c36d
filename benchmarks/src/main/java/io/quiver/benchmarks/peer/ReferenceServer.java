package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.FirstLine;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The C server with gathered writes, one process for each set of blobs. */
public final class ReferenceServer implements PeerServer {
  private final Map<BlobSet, LoadTarget> targets;

  private ReferenceServer(Map<BlobSet, LoadTarget> targets) {
    this.targets = targets;
  }

  /** Starts one process for each set. */
  public static ReferenceServer start(
      Workbench workbench, NativePrograms programs, List<BlobSet> sets) throws BenchmarkException {
    Map<BlobSet, LoadTarget> targets = new HashMap<>();
    for (BlobSet set : sets) {
      List<String> command = List.of(programs.reference().toString(), set.items().toString());
      Process process = workbench.start("reference", command, true);
      String port = FirstLine.of("reference", process, Duration.ofSeconds(10));
      targets.put(set, new LoadTarget("reference", Integer.parseInt(port), List.of(process.pid())));
    }
    return new ReferenceServer(targets);
  }

  @Override
  public LoadTarget target(BlobSet set) throws BenchmarkException {
    LoadTarget target = targets.get(set);
    if (target == null) {
      throw new BenchmarkException("no reference server was started for " + set.items());
    }
    return target;
  }
}
