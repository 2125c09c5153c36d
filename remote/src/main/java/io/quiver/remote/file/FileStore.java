package io.quiver.remote.file;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.PageCut;
import io.quiver.remote.Ranges;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.Versions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads a folder of local or mounted files.
 *
 * <p>Symbolic links below the root are followed when they end at a regular file inside the root.
 * Listings leave out all other links, with a warning, and everything that is neither file nor
 * folder; reading through a link that leads out of the root is refused. The root itself may be a
 * link. An object's version is its time of modification, its size and its number in the file
 * system. Folders show in pages even where they hold no file.
 */
public final class FileStore implements RemoteStore {
  /** The most entries of one folder that a listing holds at a time. */
  private static final int PAGE_SIZE = 100_000;

  /** The most entries of one folder that a listing read page by page holds between its pages. */
  private static final int CURSOR_PAGE = 20_000;

  /** A file that is replaced all the time is given up after so many attempts to open it. */
  private static final int OPENINGS = 5;

  private static final Pattern INODE = Pattern.compile("ino=([0-9]+)");

  private final FileNames names;
  private final int pageSize;
  private final String uri;
  private final WalkCursors cursors = new WalkCursors();
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
                new FileWalk(names, prefix, "", true, pageSize),
                Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
            false)
        .map(found -> Objects.requireNonNull(found.object()));
  }

  /** Folders are grouped by a slash without being entered; any other delimiter reads all names. */
  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    requireOpen();
    boolean flat = request.delimiter().isEmpty();
    if (!flat && !request.delimiter().equals("/")) {
      return grouped(request);
    }
    String last = PageCut.start(request);
    FileWalk walk = request.token() == null ? null : cursors.take(request, last);
    if (walk == null) {
      walk = walk(request.prefix(), last, flat);
    }
    List<RemoteObject> objects = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    while (objects.size() + groups.size() < request.maxEntries() && hasNext(walk)) {
      FileWalk.Found found = walk.next();
      last = found.name();
      if (found.object() == null) {
        groups.add(last);
      } else {
        objects.add(found.object());
      }
    }
    if (!hasNext(walk)) {
      return new ListingPage(objects, groups, null);
    }
    cursors.keep(request, last, walk);
    return new ListingPage(objects, groups, last);
  }

  private ListingPage grouped(ListingRequest request) throws IOException {
    FileWalk walk = walk(request.prefix(), PageCut.start(request), true);
    Map<String, RemoteObject> seen = new HashMap<>();
    try {
      return PageCut.of(
          new Iterator<String>() {
            @Override
            public boolean hasNext() {
              return walk.hasNext();
            }

            @Override
            public String next() {
              FileWalk.Found found = walk.next();
              seen.clear();
              seen.put(found.name(), Objects.requireNonNull(found.object()));
              return found.name();
            }
          },
          request,
          name -> Objects.requireNonNull(seen.get(name)));
    } catch (UncheckedIOException trouble) {
      throw trouble.getCause();
    }
  }

  private FileWalk walk(String prefix, String after, boolean deep) throws IOException {
    return new FileWalk(names, prefix, after, deep, Math.min(pageSize, CURSOR_PAGE));
  }

  private static boolean hasNext(FileWalk walk) throws IOException {
    try {
      return walk.hasNext();
    } catch (UncheckedIOException trouble) {
      throw trouble.getCause();
    }
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return new ObjectDetails(stat(name), "", Map.of());
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    for (int attempt = 1; ; attempt++) {
      ObjectDetails details = details(name);
      long length = Math.clamp(most, 0, details.object().size());
      try {
        return new FirstBytes(details, open(details.object(), 0, length));
      } catch (ChangedObjectException changed) {
        if (attempt == OPENINGS) {
          throw changed;
        }
      }
    }
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    try (OpenFile file = openVersion(object, offset)) {
      file.fill(offset, target);
    }
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    OpenFile file = openVersion(object, offset);
    long left = object.size() - offset;
    return file.stream(offset, offset + (length < 0 ? left : Math.min(length, left)));
  }

  private OpenFile openVersion(RemoteObject object, long offset) throws IOException {
    requireOpen();
    Versions.require(object, uri);
    if (Ranges.requireOffset(offset) > object.size()) {
      throw Ranges.pastTheEnd(object.name(), offset, object.size());
    }
    return OpenFile.open(object.name(), names.resolve(object.name()), object.version());
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
    cursors.clear();
  }

  private FileChannel channel(String name) throws IOException {
    requireOpen();
    Path path = names.resolve(name);
    regularFile(name, path);
    return FileChannel.open(path, StandardOpenOption.READ);
  }

  static BasicFileAttributes regularFile(String name, Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      throw new NoSuchFileException(name, null, "it is not a regular file");
    }
    return attributes;
  }

  static RemoteObject describe(String name, BasicFileAttributes attributes) {
    return new RemoteObject(
        name, attributes.size(), version(attributes), attributes.lastModifiedTime().toInstant());
  }

  static String version(BasicFileAttributes attributes) {
    long modified = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    return modified + "-" + attributes.size() + inode(attributes);
  }

  /**
   * Returns the file's number in its file system, which tells a file put in the place of another.
   * The device's number is left out, because it may change with each mount.
   */
  private static String inode(BasicFileAttributes attributes) {
    Matcher number = INODE.matcher(String.valueOf(attributes.fileKey()));
    return number.find() ? "-" + number.group(1) : "";
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the store " + uri + " is closed");
    }
  }
}
