package io.quiver.benchmarks.section;

import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestOptions;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a digest of a folder in a process of its own and prints how many seconds it took, the start
 * of the JVM not counted. Arguments: the folder, the digest.
 */
public final class DigestProcess {
  private DigestProcess() {}

  /** Runs the process. */
  public static void main(String[] arguments) throws Exception {
    Path output = Path.of(arguments[1]);
    Files.deleteIfExists(output);
    long start = System.nanoTime();
    try (RemoteStore store = FileStore.open(Path.of(arguments[0]))) {
      DigestBuilder.build(store, output, IngestOptions.defaults(), new DigestProgress());
    }
    System.out.println((System.nanoTime() - start) / 1e9);
    System.out.flush();
  }
}
