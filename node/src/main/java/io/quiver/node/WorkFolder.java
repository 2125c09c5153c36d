package io.quiver.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A folder for caches and ledgers that is deleted when closed, or when the process ends. */
public final class WorkFolder implements AutoCloseable {
  private final Path path;
  private final Thread atExit;

  private WorkFolder(Path path) {
    this.path = path;
    this.atExit = new Thread(this::deleteQuietly, "work-cleanup");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Returns a new folder in another one. */
  public static WorkFolder in(Path folder) throws IOException {
    return new WorkFolder(Files.createTempDirectory(folder, "run-"));
  }

  /** Returns where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    deleteQuietly();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process is ending; the hook runs, or has.
      Thread.onSpinWait();
    }
  }

  private void deleteQuietly() {
    try {
      if (Files.exists(path)) {
        delete();
      }
    } catch (IOException | UncheckedIOException e) {
      // Files of a cache that is still closing; the system's cleaning of old files takes them.
      path.toFile().deleteOnExit();
    }
  }

  private void delete() throws IOException {
    Files.walkFileTree(
        path,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException trouble)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
