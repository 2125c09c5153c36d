package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestFormatException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A digest in a file, mapped into memory until closed.
 *
 * <p>The digest and everything it handed out as a view is unusable after {@link #close()}.
 */
public final class DigestFile implements AutoCloseable {
  private final Path path;
  private final Arena arena;
  private final DatasetDigest digest;

  private DigestFile(Path path, Arena arena, DatasetDigest digest) {
    this.path = path;
    this.arena = arena;
    this.digest = digest;
  }

  /**
   * Maps a digest and checks its structure; {@link #verify()} checks every byte.
   *
   * @throws DigestFormatException if the file is no digest, cut or damaged
   * @throws NoSuchFileException if there is no such file
   */
  public static DigestFile open(Path path) throws IOException {
    requireFile(path);
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MemorySegment bytes = map(channel, arena);
      return new DigestFile(path, arena, DatasetDigest.open(bytes));
    } catch (DigestFormatException e) {
      arena.close();
      throw e.in(path.toString());
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  public DatasetDigest digest() {
    return digest;
  }

  /** Returns the path of the file. */
  public Path path() {
    return path;
  }

  /**
   * Reads the whole file and checks every byte of it.
   *
   * @throws DigestFormatException naming the file and the first thing wrong
   */
  public void verify() {
    try {
      digest.verify();
    } catch (DigestFormatException e) {
      throw e.in(path.toString());
    }
  }

  @Override
  public void close() {
    arena.close();
  }

  private static void requireFile(Path path) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(), null, "build it with 'quiver digest create <uri> -o " + path + "'");
    }
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is not a file; a digest is one file, mostly named *.qdg");
    }
  }

  // An empty file cannot be mapped on every platform; it has to be refused as a cut one all the
  // same.
  private static MemorySegment map(FileChannel channel, Arena arena) throws IOException {
    long size = channel.size();
    return size == 0
        ? MemorySegment.ofArray(new byte[0])
        : channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
  }
}
