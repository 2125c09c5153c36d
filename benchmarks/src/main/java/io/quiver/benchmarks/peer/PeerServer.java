package io.quiver.benchmarks.peer;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;

/** A server that has been started and holds the blobs. It ends with the workbench. */
public interface PeerServer {
  /** Returns the target from which a load generator reads the blobs of a set. */
  LoadTarget target(BlobSet set) throws BenchmarkException;
}
