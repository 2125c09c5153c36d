package io.quiver.remote.file;

import io.quiver.remote.RemoteObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.UUID;

/**
 * Changes the files of a folder that a {@link FileStore} reads. A file is written beside its place
 * and moved there when it is whole and on the disk, so readers see the old one or the new one.
 *
 * <p>Names are checked as they are for reading: none leads out of the folder. A file that was being
 * written when the process died stays behind under a name that listings leave out.
 */
public final class FolderWriter {
  private static final String UNFINISHED = ".quiver-unfinished-";
  private static final int PIECE_BYTES = 128 << 10;

  private final FileNames names;

  private FolderWriter(FileNames names) {
    this.names = names;
  }

  /** Opens a folder. */
  public static FolderWriter open(Path folder) throws IOException {
    return new FolderWriter(FileNames.below(folder));
  }

  /** Returns true for the name of a file that is being written. */
  static boolean isUnfinished(String name) {
    return name.startsWith(UNFINISHED);
  }

  /**
   * Stores a file of exactly this length; folders on the way are made.
   *
   * @throws EOFException if the stream ends before; nothing is stored then
   */
  public RemoteObject put(String name, InputStream bytes, long length) throws IOException {
    Path path = place(name);
    Path unfinished = path.resolveSibling(UNFINISHED + UUID.randomUUID());
    try {
      write(name, unfinished, bytes, length);
      Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
    return FileStore.describe(name, Files.readAttributes(path, BasicFileAttributes.class));
  }

  /** Deletes a file or a link to one; what is not there is deleted already. Folders stay. */
  public void delete(String name) throws IOException {
    try {
      Path real = names.resolve(name);
      FileStore.regularFile(name, real);
      Path own = names.path(name);
      requireInside(name, folder(own).toRealPath());
      Files.deleteIfExists(own);
    } catch (NoSuchFileException gone) {
      // That is what was asked for.
    }
  }

  /** Returns where a file belongs, in a folder that is there and inside the root. */
  private Path place(String name) throws IOException {
    if (!FileNames.isPlain(name)) {
      throw new FileSystemException(
          name, null, "a file's name is a relative path without empty, '.' or '..' parts");
    }
    Path path = names.path(name);
    Path above = folder(path);
    while (!Files.exists(above)) {
      above = folder(above);
    }
    requireInside(name, above.toRealPath());
    try {
      Files.createDirectories(folder(path));
    } catch (FileAlreadyExistsException e) {
      throw new FileSystemException(name, null, "a part of its path is a file, not a folder");
    }
    if (Files.isDirectory(path)) {
      throw new FileSystemException(name, null, "a folder has this name");
    }
    return path;
  }

  private static Path folder(Path path) {
    return Objects.requireNonNull(path.getParent(), "the root has no folder around it");
  }

  private void requireInside(String name, Path real) throws AccessDeniedException {
    if (!real.startsWith(names.root())) {
      throw new AccessDeniedException(name, null, "a symbolic link leads out of " + names.root());
    }
  }

  private static void write(String name, Path path, InputStream bytes, long length)
      throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      byte[] piece = new byte[(int) Math.min(PIECE_BYTES, Math.max(1, length))];
      long left = length;
      while (left > 0) {
        int count = bytes.read(piece, 0, (int) Math.min(piece.length, left));
        if (count < 0) {
          throw new EOFException("'" + name + "' ends " + left + " bytes before its length");
        }
        ByteBuffer next = ByteBuffer.wrap(piece, 0, count);
        while (next.hasRemaining()) {
          left -= file.write(next);
        }
      }
      file.force(true);
    }
  }
}
