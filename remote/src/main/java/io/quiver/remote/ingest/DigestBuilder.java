package io.quiver.remote.ingest;

import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.file.Path;

/** Builds digests from the objects of a store. */
public final class DigestBuilder {
  private DigestBuilder() {}

  /**
   * Reads every object of the store and writes the digest of what it found.
   *
   * <p>An interrupted build leaves {@code <output>.partial} behind and nothing else; the next one
   * with the same options continues there and re-reads only objects that changed.
   *
   * @param output where the digest goes; replaced in one step when it is complete
   * @throws IngestException if an object cannot be digested, naming it and the remedy
   */
  @SuppressWarnings("DoNotCallSuggester")
  public static IngestReport build(
      RemoteStore store, Path output, IngestOptions options, DigestProgress progress)
      throws IOException, InterruptedException {
    throw new UnsupportedOperationException("lands next");
  }
}
