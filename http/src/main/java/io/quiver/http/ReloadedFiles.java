package io.quiver.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value made from files, and made again when they change. The files are looked at when the value
 * is asked for, at most once a second. If their new state makes no sense, the old value stays and a
 * warning says so once.
 *
 * @param <T> what the files make
 */
public final class ReloadedFiles<T> implements Supplier<T> {
  private static final Logger LOG = LoggerFactory.getLogger(ReloadedFiles.class);
  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Makes a value from the files as they are now.
   *
   * @param <T> what the files make
   */
  @FunctionalInterface
  public interface Loader<T> {
    /** Reads the files. */
    T load() throws IOException;
  }

  private final List<Path> files;
  private final Loader<T> loader;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile T value;
  private volatile long lookedNanos;
  // Guarded by the lock.
  private List<Object> stamps;

  private ReloadedFiles(List<Path> files, Loader<T> loader, LongSupplier nanoTime)
      throws IOException {
    this.files = List.copyOf(files);
    this.loader = loader;
    this.nanoTime = nanoTime;
    this.lookedNanos = nanoTime.getAsLong();
    this.stamps = stamps();
    this.value = loader.load();
  }

  /**
   * Loads the value for the first time.
   *
   * @throws IOException if the files make no sense
   */
  public static <T> ReloadedFiles<T> load(List<Path> files, Loader<T> loader) throws IOException {
    return load(files, loader, System::nanoTime);
  }

  static <T> ReloadedFiles<T> load(List<Path> files, Loader<T> loader, LongSupplier nanoTime)
      throws IOException {
    return new ReloadedFiles<>(files, loader, nanoTime);
  }

  /** Returns the newest value that made sense. One caller reloads while the others go on. */
  @Override
  public T get() {
    if (nanoTime.getAsLong() - lookedNanos >= INTERVAL_NANOS && lock.tryLock()) {
      try {
        reload();
        lookedNanos = nanoTime.getAsLong();
      } finally {
        lock.unlock();
      }
    }
    return value;
  }

  private void reload() {
    List<Object> found = stamps();
    if (found.equals(stamps)) {
      return;
    }
    stamps = found;
    try {
      value = loader.load();
      LOG.info("loaded {} again", files);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} changed but cannot be used; going on with the old one: {}", files, e.toString());
    }
  }

  private List<Object> stamps() {
    List<Object> found = new ArrayList<>();
    for (Path file : files) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        found.add(List.of(now.lastModifiedTime(), now.size(), String.valueOf(now.fileKey())));
      } catch (IOException e) {
        found.add("absent");
      }
    }
    return found;
  }
}
