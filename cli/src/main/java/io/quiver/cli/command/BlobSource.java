package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.Console;
import io.quiver.cli.console.ExitCode;
import io.quiver.protocol.Wire;
import io.quiver.report.ByteSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Something to make a blob of: a file, mapped when its turn comes, or what standard input said. */
sealed interface BlobSource {
  /** Returns the name that the user gave. */
  String name();

  /** Returns the length in bytes. */
  long bytes();

  /** Its bytes. */
  ByteBuffer content() throws IOException;

  /** A file. */
  record OfFile(String name, Path path, long bytes) implements BlobSource {
    @Override
    public ByteBuffer content() throws IOException {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
        return bytes == 0
            ? ByteBuffer.allocateDirect(0)
            : channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
      }
    }
  }

  /** Bytes at hand. */
  record OfBytes(String name, ByteBuffer content) implements BlobSource {
    @Override
    public long bytes() {
      return content.remaining();
    }
  }

  /** Checks what the user named before anything is sent. */
  static BlobSource of(String name, Console console) throws CommandFailure, IOException {
    if (name.equals("-")) {
      byte[] bytes = console.in().readNBytes((int) Wire.DEFAULT_MAX_BLOB_BYTES + 1);
      requireLength("standard input", bytes.length);
      return new OfBytes("-", ByteBuffer.wrap(bytes));
    }
    Path path = Path.of(name);
    if (!Files.exists(path)) {
      throw new CommandFailure(ExitCode.NOT_FOUND, "no such file: " + name);
    }
    if (Files.isDirectory(path)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          name + " is a folder; name its files, or digest it: quiver digest create " + name);
    }
    requireLength(name, Files.size(path));
    return new OfFile(name, path, Files.size(path));
  }

  private static void requireLength(String name, long bytes) throws CommandFailure {
    if (bytes > Wire.DEFAULT_MAX_BLOB_BYTES) {
      throw new CommandFailure(
          ExitCode.FAILED,
          name
              + " is longer than a blob may be ("
              + ByteSize.show(Wire.DEFAULT_MAX_BLOB_BYTES)
              + "); cut it into pieces");
    }
  }
}
