package io.quiver.gateway.mount;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.OpenObject;
import io.quiver.gateway.mount.EntryCache.Known;
import io.quiver.gateway.mount.FolderListing.Entry;
import io.quiver.gateway.mount.fuse.FuseErrno;
import io.quiver.gateway.mount.fuse.FuseFailure;
import io.quiver.gateway.mount.fuse.FuseFileSystem;
import io.quiver.gateway.mount.fuse.NodeAttributes;
import io.quiver.gateway.mount.fuse.NodeEntry;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the kernel from a door. */
final class DoorFiles implements FuseFileSystem, AutoCloseable {
  static final String ETAG = "user.quiver.etag";
  static final String STATISTICS = "user.quiver.statistics";
  static final String CONTENT_TYPE = "user.quiver.content_type";

  private static final Logger log = LoggerFactory.getLogger(DoorFiles.class);
  private static final byte[] SELF = {'.'};
  private static final byte[] PARENT = {'.', '.'};
  private static final int DOTS = 2;
  private static final int MOST_FOLDERS = 10_000;

  private final Door door;
  private final Instant mounted;
  private final EntryCache cache;
  private final EntryResolver resolver;
  private final NodeTable nodes = new NodeTable();
  private final OpenFiles files;
  private final TroubleLog trouble;
  private final ConcurrentHashMap<Long, OpenFolder> folders = new ConcurrentHashMap<>();
  private final AtomicLong handles = new AtomicLong();
  private volatile KernelNames kernel = (folder, name) -> {};

  /** A folder being listed. */
  private record OpenFolder(MountNode node, FolderListing listing) {}

  DoorFiles(Door door, MountConfig config, Instant mounted, LongSupplier nanoTime) {
    this.door = door;
    this.mounted = mounted;
    this.cache = new EntryCache(config.knownEntries(), config.freshness().toNanos(), nanoTime);
    this.resolver = new EntryResolver(door, cache);
    this.files = new OpenFiles(door, config.openFiles());
    this.trouble = new TroubleLog(log, nanoTime);
  }

  @Override
  public NodeEntry lookup(long folder, ByteBuffer name) throws FuseFailure {
    MountNode parent = nodes.get(folder);
    String text = EntryName.text(name);
    if (text == null) {
      throw new FuseFailure(FuseErrno.ENOENT);
    }
    String path = parent.prefix() + text;
    Known known;
    try {
      known = resolver.resolve(path);
    } catch (IOException | RuntimeException failure) {
      throw failed("look up", path, failure);
    }
    if (known == null) {
      throw new FuseFailure(FuseErrno.ENOENT);
    }
    return entry(path, known);
  }

  private NodeEntry entry(String path, Known known) {
    MountNode node = nodes.lookUp(path, known.found());
    return new NodeEntry(node.number(), node.attributes(mounted), cache.left(known));
  }

  @Override
  public void forget(long node, long lookups) {
    nodes.forget(node, lookups);
  }

  @Override
  public NodeAttributes attributes(long node) throws FuseFailure {
    return nodes.get(node).attributes(mounted);
  }

  @Override
  public void read(long number, int reader, long offset, int length, ReadReply reply)
      throws FuseFailure {
    MountNode node = nodes.get(number);
    if (!(node.kind() instanceof Resolved.File(RemoteObject object))) {
      throw new FuseFailure(FuseErrno.EISDIR);
    }
    int count = (int) Math.min(length, Math.max(0, object.size() - offset));
    if (count == 0) {
      return;
    }
    try {
      boolean whole = offset == 0 && count == object.size();
      if (whole) {
        try (OpenObject file = files.open(reader, object)) {
          transfer(file, offset, count, reply);
        }
      } else {
        transfer(files.get(number, reader, object), offset, count, reply);
        if (offset + count == object.size()) {
          files.close(number, reader);
        }
      }
    } catch (IOException | RuntimeException failure) {
      files.close(number, reader);
      forget(object.name(), failure);
      throw failed("read", object.name(), failure);
    }
  }

  /** Sends a range in one piece if the door has it so, and else piece by piece through a buffer. */
  private static void transfer(OpenObject file, long offset, int count, ReadReply reply)
      throws IOException {
    int[] taken = new int[1];
    file.transfer(
        offset,
        count,
        piece -> {
          int size = piece.remaining();
          if (size == count && piece.isDirect()) {
            reply.send(piece);
          } else {
            reply.buffer().put(piece);
          }
          taken[0] += size;
        });
    if (taken[0] != count) {
      throw new IOException(
          "the door gave " + taken[0] + " of " + count + " bytes at offset " + offset);
    }
  }

  /** Lets the next lookup ask the store, if what is known of an object has proved wrong. */
  private void forget(String path, Exception failure) {
    if (failure instanceof ChangedObjectException || failure instanceof NoSuchFileException) {
      cache.remove(path);
      door.forget(path);
      int slash = path.lastIndexOf('/');
      MountNode folder = nodes.find(slash < 0 ? "" : path.substring(0, slash));
      byte[] name = EntryName.bytes(path.substring(slash + 1));
      if (folder != null && name != null) {
        kernel.forgetName(folder.number(), name);
      }
    }
  }

  /** Says how to tell the kernel that names it remembers have proved wrong. */
  void connect(KernelNames names) {
    kernel = names;
  }

  /** Takes names that the kernel shall ask for again. */
  @FunctionalInterface
  interface KernelNames {
    /** Lets the kernel forget a name in a folder. */
    void forgetName(long folder, byte[] name);
  }

  @Override
  public long openFolder(long number) throws FuseFailure {
    MountNode node = nodes.get(number);
    if (!(node.kind() instanceof Resolved.Folder)) {
      throw new FuseFailure(FuseErrno.ENOTDIR);
    }
    if (folders.size() >= MOST_FOLDERS) {
      trouble.warn("more than " + MOST_FOLDERS + " folders are open; close some");
      throw new FuseFailure(FuseErrno.EIO);
    }
    long handle = handles.incrementAndGet();
    FolderListing listing = new FolderListing(door, node.prefix(), cache, trouble);
    folders.put(handle, new OpenFolder(node, listing));
    return handle;
  }

  @Override
  public void readFolder(long handle, long position, FolderReply reply) throws FuseFailure {
    OpenFolder folder = folders.get(handle);
    if (folder == null || position < 0) {
      throw new FuseFailure(FuseErrno.EINVAL);
    }
    synchronized (folder) {
      try {
        list(folder, position, reply);
      } catch (IOException | RuntimeException failure) {
        throw failed("list", folder.node.path(), failure);
      }
    }
  }

  private void list(OpenFolder folder, long position, FolderReply reply) throws IOException {
    long next = dots(folder.node, position, reply);
    boolean any = next > position;
    while (true) {
      Entry entry;
      try {
        entry = folder.listing.at(next - DOTS);
      } catch (IOException | RuntimeException failure) {
        if (any) {
          // The kernel takes what there is and asks again from here on.
          return;
        }
        throw failure;
      }
      if (entry == null) {
        return;
      }
      byte[] name = Objects.requireNonNull(EntryName.bytes(entry.name()));
      if (!reply.fits(name.length)) {
        return;
      }
      any = true;
      next++;
      String path = folder.node.prefix() + entry.name();
      if (reply.takesNodes()) {
        reply.add(name, entry(path, entry.known()), next);
      } else {
        boolean isFolder = entry.known().found() instanceof Resolved.Folder;
        reply.add(name, MountNode.inode(path), isFolder, next);
      }
    }
  }

  /** Adds the folder itself and its parent; returns the position behind what was added. */
  private static long dots(MountNode node, long position, FolderReply reply) {
    long next = position;
    if (next == 0 && reply.fits(SELF.length)) {
      reply.add(SELF, MountNode.inode(node.path()), true, ++next);
    }
    if (next == 1 && reply.fits(PARENT.length)) {
      int slash = node.path().lastIndexOf('/');
      String parent = slash < 0 ? "" : node.path().substring(0, slash);
      reply.add(PARENT, MountNode.inode(parent), true, ++next);
    }
    return next;
  }

  @Override
  public void closeFolder(long handle) {
    folders.remove(handle);
  }

  @Override
  public byte @Nullable [] extendedAttribute(long number, String name) throws FuseFailure {
    MountNode node = nodes.get(number);
    if (isTop(node) && name.equals(STATISTICS)) {
      return door.statistics().json().getBytes(StandardCharsets.UTF_8);
    }
    if (!(node.kind() instanceof Resolved.File file)) {
      return null;
    }
    String value =
        switch (name) {
          case ETAG -> file.object().version();
          case CONTENT_TYPE -> contentType(node, file);
          default -> "";
        };
    return value.isEmpty() ? null : value.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isTop(MountNode node) {
    return node.path().isEmpty();
  }

  private String contentType(MountNode node, Resolved.File file) throws FuseFailure {
    try {
      ObjectDetails details = door.details(node.path());
      return file.isSameVersion(new Resolved.File(details.object())) ? details.contentType() : "";
    } catch (IOException | RuntimeException failure) {
      throw failed("look up", node.path(), failure);
    }
  }

  @Override
  public List<String> extendedAttributes(long number) throws FuseFailure {
    MountNode node = nodes.get(number);
    if (!(node.kind() instanceof Resolved.File file)) {
      return isTop(node) ? List.of(STATISTICS) : List.of();
    }
    List<String> names = new ArrayList<>();
    if (!file.object().version().isEmpty()) {
      names.add(ETAG);
    }
    if (!contentType(node, file).isEmpty()) {
      names.add(CONTENT_TYPE);
    }
    return names;
  }

  /** Returns the error that a program sees, and logs the cause. */
  private FuseFailure failed(String what, String path, Exception failure) {
    FuseErrno errno =
        switch (failure) {
          case ChangedObjectException _ -> FuseErrno.ESTALE;
          case NoSuchFileException _ -> FuseErrno.ESTALE;
          case AccessDeniedException _ -> FuseErrno.EACCES;
          default -> FuseErrno.EIO;
        };
    if (failure instanceof RuntimeException) {
      log.error("cannot {} '{}'", what, path, failure);
    } else {
      trouble.warn("cannot " + what + " '" + path + "' (" + errno + "): " + words(failure));
    }
    return new FuseFailure(errno);
  }

  private static String words(Exception failure) {
    String message = failure.getMessage();
    return failure.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }

  @Override
  public void close() {
    files.close();
    folders.clear();
  }
}
