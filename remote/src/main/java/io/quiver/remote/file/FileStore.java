package io.quiver.remote.file;

import io.quiver.remote.Ranges;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads a folder of local or mounted files.
 *
 * <p>Symbolic links below the root are followed when they end at a regular file inside the root.
 * Listings leave out all other links, with a warning, and everything that is neither file nor
 * folder; reading through a link that leads out of the root is refused. The root itself may be a
 * link. An object's version is its time of modification and its size.
 */
public final class FileStore implements RemoteStore {
  /** The most entries of one folder that a listing holds at a time. */
  private static final int PAGE_SIZE = 100_000;

  private final FileNames names;
  private final int pageSize;
  private final String uri;
  private volatile boolean closed;

  private FileStore(FileNames names, String uri, int pageSize) {
    this.names = names;
    this.uri = uri;
    this.pageSize = pageSize;
  }

  /** Opens the files below a folder. */
  public static FileStore open(Path folder) throws IOException {
    return open(folder, PAGE_SIZE);
  }

  /** Opens a folder with a page size small enough for tests to fill. */
  static FileStore open(Path folder, int pageSize) throws IOException {
    FileNames names = FileNames.below(folder);
    if (!Files.isDirectory(names.root())) {
      throw new NotDirectoryException(folder.toString());
    }
    return new FileStore(names, folder.toUri().toString(), pageSize);
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    requireOpen();
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            new FileWalk(names, prefix, pageSize),
            Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
        false);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    requireOpen();
    return describe(name, regularFile(name, names.resolve(name)));
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    try (FileChannel file = channel(name)) {
      long position = Ranges.requireOffset(offset);
      if (position > file.size()) {
        throw Ranges.pastTheEnd(name, offset, file.size());
      }
      while (target.hasRemaining()) {
        int count = file.read(target, position);
        if (count < 0) {
          throw Ranges.endsEarly(name, position, target.remaining());
        }
        position += count;
      }
    }
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    FileChannel file = channel(name);
    try {
      if (Ranges.requireOffset(offset) > file.size()) {
        throw Ranges.pastTheEnd(name, offset, file.size());
      }
      InputStream rest = Channels.newInputStream(file.position(offset));
      return length < 0 ? rest : new LimitedStream(rest, length);
    } catch (IOException | RuntimeException failure) {
      file.close();
      throw failure;
    }
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public void close() {
    closed = true;
  }

  private FileChannel channel(String name) throws IOException {
    requireOpen();
    Path path = names.resolve(name);
    regularFile(name, path);
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  private static BasicFileAttributes regularFile(String name, Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new NoSuchFileException(name, null, "it is not a regular file");
    }
    return attributes;
  }

  static RemoteObject describe(String name, BasicFileAttributes attributes) {
    long modified = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    return new RemoteObject(name, attributes.size(), modified + "-" + attributes.size());
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the store " + uri + " is closed");
    }
  }
}
