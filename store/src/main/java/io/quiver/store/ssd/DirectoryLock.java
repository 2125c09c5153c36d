package io.quiver.store.ssd;

import io.quiver.store.StoreException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Locks a folder, and checks that this version understands its format and no other process uses it.
 */
final class DirectoryLock implements AutoCloseable {
  static final String LOCK_NAME = "quiver.lock";
  static final String FORMAT_NAME = "quiver.format";
  static final String FORMAT = "quiver-store 1";

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  static DirectoryLock take(Path directory) throws StoreException {
    if (!Files.exists(directory)) {
      throw new StoreException(directory, "does not exist", "create it or name another directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new StoreException(directory, "is not a directory", "name a directory");
    }
    FileChannel channel = openLockFile(directory);
    try {
      if (!tryLock(channel)) {
        throw new StoreException(
            directory,
            "is in use by another process",
            "stop the other one or give each its own directory");
      }
      checkFormat(directory);
      return new DirectoryLock(channel);
    } catch (StoreException e) {
      closeQuietly(channel, e);
      throw e;
    } catch (IOException e) {
      StoreException failure = notWritable(directory, e);
      closeQuietly(channel, failure);
      throw failure;
    }
  }

  private static FileChannel openLockFile(Path directory) throws StoreException {
    try {
      return FileChannel.open(
          directory.resolve(LOCK_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw notWritable(directory, e);
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    try {
      @Nullable FileLock taken = channel.tryLock();
      return taken != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static void checkFormat(Path directory) throws IOException {
    Path marker = directory.resolve(FORMAT_NAME);
    String found;
    try {
      found = Files.readString(marker).strip();
    } catch (NoSuchFileException e) {
      Files.writeString(marker, FORMAT + "\n");
      return;
    }
    if (!found.equals(FORMAT) && !found.isEmpty()) {
      throw new StoreException(
          directory,
          "holds a store of another format (\""
              + found
              + "\", this version reads \""
              + FORMAT
              + "\")",
          "empty the directory or use the version that wrote it");
    }
    if (found.isEmpty()) { // died while writing it
      Files.writeString(marker, FORMAT + "\n");
    }
  }

  private static StoreException notWritable(Path directory, IOException cause) {
    return new StoreException(
        directory,
        "cannot be written to (" + cause + ")",
        "check its permissions, free space and that its disk is mounted read-write",
        cause);
  }

  private static void closeQuietly(FileChannel channel, Exception reason) {
    try {
      channel.close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("the lock could not be released", e);
    }
  }
}
