package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.IngestOptions.IngestKind;
import io.quiver.remote.ingest.IngestOptions.LabelSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/** Builds digests for the tests of this package, and a digest made the plain way to compare. */
final class Ingesting {
  private Ingesting() {}

  static IngestOptions options() {
    return IngestOptions.defaults().withWork(3, Duration.ofMinutes(1));
  }

  static IngestReport build(RemoteStore store, Path output, IngestOptions options)
      throws IOException, InterruptedException {
    return DigestBuilder.build(store, output, options, new DigestProgress());
  }

  /** Builds, verifies and returns the digest, in memory. */
  static DatasetDigest digest(RemoteStore store, Path output, IngestOptions options)
      throws IOException, InterruptedException {
    build(store, output, options);
    DatasetDigest digest = DatasetDigest.open(Files.readAllBytes(output));
    digest.verify();
    return digest;
  }

  /** Returns the digest of whole files without labels, made without any of the code under test. */
  static byte[] reference(MemoryObjects store) {
    DigestEncoder encoder =
        new DigestEncoder()
            .metadata(DigestMetadata.SOURCE, store.uri())
            .metadata(DigestMetadata.KIND, "files")
            .metadata(DigestMetadata.LABELS, "none")
            .metadata(DigestMetadata.CREATED_BY, "quiver");
    store
        .contents()
        .forEach((name, bytes) ->
            encoder.add(DigestItem.whole(ContentHash.ofContent(bytes), bytes.length, name)));
    return encoder.encode();
  }

  static IngestOptions plainFiles() {
    return options().withKind(IngestKind.FILES).withLabels(LabelSource.NONE);
  }

  /** Returns many small objects and a few larger than every buffer. */
  static MemoryObjects randomObjects(Random random, int count) {
    MemoryObjects store = new MemoryObjects();
    for (int i = 0; i < count; i++) {
      int size = random.nextInt(20) == 0 ? 300_000 + random.nextInt(300_000) : random.nextInt(3000);
      store.put("folder-%d/object-%05d".formatted(random.nextInt(5), i), bytes(random, 1 + size));
    }
    return store;
  }

  static byte[] bytes(Random random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
