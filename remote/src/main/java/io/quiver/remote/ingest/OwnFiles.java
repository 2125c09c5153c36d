package io.quiver.remote.ingest;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/**
 * Tells the digest itself and its unfinished parts from the data set, for those who write the
 * digest into the folder they digest.
 */
final class OwnFiles {
  private final String output;

  private OwnFiles(String output) {
    this.output = output;
  }

  /** The own files of an output as they would be called in a store of this address. */
  static OwnFiles of(String storeUri, Path output) {
    if (!storeUri.startsWith("file:")) {
      return new OwnFiles("");
    }
    try {
      Path root = Path.of(URI.create(storeUri)).toRealPath();
      Path parent = output.toAbsolutePath().normalize().getParent();
      Path folder = parent == null ? root : parent.toRealPath();
      Path inside = root.relativize(folder.resolve(output.getFileName()));
      return new OwnFiles(folder.startsWith(root) ? inside.toString() : "");
    } catch (IOException | IllegalArgumentException e) {
      return new OwnFiles("");
    }
  }

  boolean contains(String name) {
    return !output.isEmpty() && (name.equals(output) || name.startsWith(output + ".partial/"));
  }
}
