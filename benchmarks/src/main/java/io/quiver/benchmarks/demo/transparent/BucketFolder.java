package io.quiver.benchmarks.demo.transparent;

import io.quiver.benchmarks.demo.data.SyntheticImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * The data of all readers, made up, as a folder that is served as a bucket. Made once; a later demo
 * with the same numbers finds it there. A file that is written last tells that it is whole.
 */
final class BucketFolder {
  private final Path folder;
  private final double scale;
  private final long seed;

  BucketFolder(Path base, double scale, long seed) {
    this.scale = scale;
    this.seed = seed;
    this.folder = base.resolve("transparent-" + scale + "-" + seed);
  }

  /** Returns the folder that is the bucket. */
  Path path() {
    return folder.resolve("bucket");
  }

  private Path mark() {
    return folder.resolve("complete");
  }

  /** Returns true if all of it is there already. */
  boolean isComplete() {
    return Files.exists(mark());
  }

  /** Returns the number of all files. */
  int files() {
    int files = 0;
    for (Reader reader : Reader.values()) {
      files += reader.files(scale);
    }
    return files;
  }

  /** Returns the bytes of all files. */
  long bytes() {
    long bytes = 0;
    for (Reader reader : Reader.values()) {
      bytes += bytes(reader);
    }
    return bytes;
  }

  /** Returns the bytes of a reader's part. */
  long bytes(Reader reader) {
    SyntheticImages contents = contents(reader);
    long bytes = 0;
    for (int file = 0; file < contents.items(); file++) {
      bytes += contents.size(file);
    }
    return bytes;
  }

  private SyntheticImages contents(Reader reader) {
    return new SyntheticImages(
        reader.files(scale), reader.fileBytes(), 1, seed + reader.fileBytes());
  }

  /** Writes every file. */
  void write(IntConsumer written) throws IOException {
    int count = 0;
    for (Reader reader : Reader.values()) {
      SyntheticImages contents = contents(reader);
      for (int file = 0; file < contents.items(); file++) {
        Path path = path().resolve(reader.folder()).resolve(reader.name(file, scale));
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.write(path, contents.content(file));
        written.accept(++count);
      }
    }
    Files.createFile(mark());
  }
}
