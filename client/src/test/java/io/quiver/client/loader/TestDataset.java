package io.quiver.client.loader;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** A data set of random files in a folder, and its digest. */
final class TestDataset {
  private final Path folder;
  private final byte[][] contents;
  private final DatasetDigest digest;

  private TestDataset(Path folder, byte[][] contents, DatasetDigest digest) {
    this.folder = folder;
    this.contents = contents;
    this.digest = digest;
  }

  static TestDataset make(Path folder, int items, int maxBytes, long seed) {
    Random random = new Random(seed);
    byte[][] contents = new byte[items][];
    DigestEncoder encoder = new DigestEncoder();
    try {
      Files.createDirectories(folder);
      for (int i = 0; i < items; i++) {
        contents[i] = new byte[1 + random.nextInt(maxBytes)];
        random.nextBytes(contents[i]);
        Files.write(folder.resolve(name(i)), contents[i]);
        encoder.add(
            DigestItem.whole(ContentHash.ofContent(contents[i]), contents[i].length, name(i)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new TestDataset(folder, contents, DatasetDigest.open(encoder.encode()));
  }

  static String name(int item) {
    return "item-" + item;
  }

  DatasetDigest digest() {
    return digest;
  }

  int items() {
    return contents.length;
  }

  byte[] content(int item) {
    return contents[item];
  }

  Path file(int item) {
    return folder.resolve(name(item));
  }

  RemoteStore store() {
    try {
      return FileStore.open(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
