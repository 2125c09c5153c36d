package io.quiver.node;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The data directories of a cache: made when missing, and asked how many bytes they offer. */
final class Disks {
  private Disks() {}

  /** Makes a directory and those above it. */
  static Path ensure(Path directory) throws NodeException {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new NodeException(
          "cannot create the data directory "
              + directory
              + " ("
              + e.getClass().getSimpleName()
              + "); choose a folder that this user may write to",
          e);
    }
  }

  /**
   * Returns the bytes that the file systems below these directories offer a cache: their free space
   * and the bytes in the directories. Directories of one file system count it once.
   */
  static long offeredBytes(List<Path> directories) throws NodeException {
    Set<FileStore> seen = new HashSet<>();
    long offered = 0;
    for (Path directory : directories) {
      try {
        FileStore disk = Files.getFileStore(directory);
        offered += seen.add(disk) ? disk.getUsableSpace() : 0;
        offered += Math.min(heldBytes(directory), disk.getTotalSpace() - disk.getUsableSpace());
      } catch (IOException e) {
        throw new NodeException("cannot tell how much space " + directory + " offers: " + e, e);
      }
    }
    return offered;
  }

  /** Returns the total length of the files below a directory. */
  static long heldBytes(Path directory) throws IOException {
    long[] held = new long[1];
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            held[0] += attributes.size();
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return held[0];
  }
}
