package io.quiver.cli.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes files that are there whole or not at all. */
final class WholeFile {
  private WholeFile() {}

  /** Writes beside the target and moves it there; what is no plain file is written to directly. */
  static void write(Path target, ByteBuffer bytes) throws IOException {
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
        writeAll(channel, bytes.duplicate());
      }
      return;
    }
    Path partial = target.resolveSibling(target.getFileName() + ".partial");
    try {
      try (FileChannel channel =
          FileChannel.open(
              partial,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        writeAll(channel, bytes.duplicate());
      }
      Files.move(partial, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
