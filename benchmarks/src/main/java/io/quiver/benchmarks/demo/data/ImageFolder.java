package io.quiver.benchmarks.demo.data;

import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestBuilder;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.ingest.DigestProgress;
import io.quiver.remote.ingest.IngestOptions;
import io.quiver.remote.ingest.IngestOptions.IngestKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * The made-up data set on disk: a folder of files and the digest of it. Made once; a later demo
 * with the same numbers finds it there. The digest is written last, so a digest means a whole
 * folder.
 */
public final class ImageFolder {
  private final SyntheticImages images;
  private final Path folder;

  /** The data set's own folder below a base folder. */
  public ImageFolder(SyntheticImages images, Path base) {
    this.images = images;
    this.folder = base.resolve(images.key());
  }

  /** Returns where the items lie. */
  public Path items() {
    return folder.resolve("items");
  }

  /** Returns where the digest is. */
  public Path digest() {
    return folder.resolve("items.qdg");
  }

  /** Returns true if all of it is there already. */
  public boolean isComplete() throws IOException {
    if (!Files.isRegularFile(digest())) {
      return false;
    }
    try (DigestFile file = DigestFile.open(digest());
        Stream<Path> entries = Files.walk(items())) {
      return file.digest().itemCount() == images.items()
          && entries.filter(Files::isRegularFile).count() == images.items();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Writes every item's file. */
  public void writeItems(IntConsumer written) throws IOException {
    Files.deleteIfExists(digest());
    for (int item = 0; item < images.items(); item++) {
      Path file = items().resolve(images.name(item));
      if (item == 0 || images.classOf(item) != images.classOf(item - 1)) {
        Files.createDirectories(folderOf(file));
      }
      Files.write(file, images.content(item));
      written.accept(item + 1);
    }
  }

  private static Path folderOf(Path file) {
    Path parent = file.getParent();
    if (parent == null) {
      throw new IllegalStateException("a file without a folder: " + file);
    }
    return parent;
  }

  /** Makes the digest of what was written. */
  public void writeDigest(DigestProgress progress) throws IOException, InterruptedException {
    try (FileStore store = FileStore.open(items())) {
      DigestBuilder.build(
          store, digest(), IngestOptions.defaults().withKind(IngestKind.FILES), progress);
    }
  }
}
