package io.quiver.benchmarks.serve;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.load.LoadShape;
import io.quiver.benchmarks.workbench.BlobSet;

/** A peer that is up and can be given a slice of load. */
@FunctionalInterface
interface Contender {
  LoadResult measure(BlobSet set, LoadShape shape) throws BenchmarkException, InterruptedException;
}
