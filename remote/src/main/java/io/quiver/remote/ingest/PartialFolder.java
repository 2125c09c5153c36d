package io.quiver.remote.ingest;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code <output>.partial}: what a build keeps until its output is complete.
 *
 * <p>Each attempt has a folder of its own in there. A new attempt copies what it can use of the one
 * that came farthest, so an attempt that dies while copying loses nothing.
 */
final class PartialFolder implements AutoCloseable {
  private static final String RUN = "run-";
  private static final String PARAMETERS = "parameters";

  private final Path path;
  private final FileChannel lockFile;
  private final FileLock lock;

  private PartialFolder(Path path, FileChannel lockFile, FileLock lock) {
    this.path = path;
    this.lockFile = lockFile;
    this.lock = lock;
  }

  /** Locks the folder of an output for this process. */
  static PartialFolder lock(Path output) throws IOException {
    Path path = pathFor(output);
    try {
      Files.createDirectories(path);
    } catch (FileAlreadyExistsException e) {
      throw new IngestException(path + " is in the way; move it or write the digest elsewhere", e);
    }
    FileChannel channel =
        FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = tryLock(channel);
    if (lock == null) {
      channel.close();
      throw new IngestException(
          "another process is building " + output + "; wait for it or write to another file");
    }
    return new PartialFolder(path, channel, lock);
  }

  /** Returns the path of an output's partial folder. */
  static Path pathFor(Path output) {
    return output.resolveSibling(output.getFileName() + ".partial");
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Returns the attempt with these parameters that came farthest; all others are deleted. */
  Optional<Path> bestRun(String parameters) throws IOException {
    Optional<Path> best = Optional.empty();
    long bestObjects = 0;
    for (Path run : runs()) {
      long objects = sameParameters(run, parameters) ? PreviousRun.lastMark(run).objects() : 0;
      if (objects > bestObjects) {
        bestObjects = objects;
        best = Optional.of(run);
      }
    }
    for (Path run : runs()) {
      if (best.isEmpty() || !best.get().equals(run)) {
        deleteTree(run);
      }
    }
    return best;
  }

  /** Returns a fresh folder for a new attempt. */
  Path newRun(String parameters) throws IOException {
    int number = 1;
    while (Files.exists(path.resolve(RUN + number))) {
      number++;
    }
    Path run = Files.createDirectory(path.resolve(RUN + number));
    Files.writeString(run.resolve(PARAMETERS), parameters);
    return run;
  }

  /** Deletes everything once the output is complete. */
  void delete() throws IOException {
    deleteTree(path);
  }

  static void deleteTree(Path root) throws IOException {
    try (Stream<Path> tree = Files.walk(root)) {
      for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }

  @Override
  public void close() throws IOException {
    lock.release();
    lockFile.close();
  }

  private List<Path> runs() throws IOException {
    List<Path> runs = new ArrayList<>();
    try (Stream<Path> entries = Files.list(path)) {
      entries.filter(each -> each.getFileName().toString().startsWith(RUN)).forEach(runs::add);
    }
    return runs;
  }

  private static boolean sameParameters(Path run, String parameters) throws IOException {
    Path file = run.resolve(PARAMETERS);
    return Files.isRegularFile(file) && Files.readString(file).equals(parameters);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }
}
