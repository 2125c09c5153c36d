package io.quiver.remote.ingest;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.PageCut;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.Versions;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A store in memory that can be told to fail, lie about sizes and count what is read. */
final class MemoryObjects implements RemoteStore {
  private final TreeMap<String, byte[]> objects = new TreeMap<>(NameOrder.UTF_8);
  private final TreeMap<String, String> versions = new TreeMap<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private volatile int readsUntilFailure = Integer.MAX_VALUE;
  private volatile boolean versionless;
  private int nextVersion;

  MemoryObjects put(String name, byte[] content) {
    objects.put(name, content);
    versions.put(name, "v" + nextVersion++);
    return this;
  }

  MemoryObjects put(String name, String content) {
    return put(name, content.getBytes(StandardCharsets.UTF_8));
  }

  void remove(String name) {
    objects.remove(name);
  }

  /** Changes the content but neither the size nor the version that a listing shows. */
  void damage(String name, int at) {
    bytes(name)[at] ^= 1;
  }

  void forbid(String name) {
    forbidden.add(name);
  }

  void allowAll() {
    forbidden.clear();
    readsUntilFailure = Integer.MAX_VALUE;
    reads.set(0);
  }

  void failAfter(int count) {
    readsUntilFailure = count;
    reads.set(0);
  }

  void tellNoVersions() {
    versionless = true;
  }

  int reads() {
    return reads.get();
  }

  Map<String, byte[]> contents() {
    return objects;
  }

  @Override
  public Stream<RemoteObject> list(String prefix) {
    return objects.keySet().stream().filter(name -> name.startsWith(prefix)).map(this::describe);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    require(name);
    return describe(name);
  }

  @Override
  public ListingPage page(ListingRequest request) {
    List<String> names =
        objects.keySet().stream().filter(name -> name.startsWith(request.prefix())).toList();
    return PageCut.of(names.iterator(), request, this::describe);
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return new ObjectDetails(stat(name), "", Map.of());
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    return new FirstBytes(details(name), open(name, 0, Math.max(0, most)));
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    Versions.requireSame(object, stat(object.name()));
    read(object.name(), offset, target);
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    Versions.requireSame(object, stat(object.name()));
    return open(object.name(), offset, length);
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    byte[] bytes = counted(name);
    if (offset + target.remaining() > bytes.length) {
      throw new EOFException(name + " ends at " + bytes.length);
    }
    target.put(bytes, (int) offset, target.remaining());
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    byte[] bytes = counted(name);
    if (offset > bytes.length) {
      throw new EOFException(name + " ends at " + bytes.length);
    }
    int end = length < 0 ? bytes.length : (int) Math.min(bytes.length, offset + length);
    return new ByteArrayInputStream(Arrays.copyOfRange(bytes, (int) offset, end));
  }

  @Override
  public String uri() {
    return "memory:objects";
  }

  @Override
  public void close() {}

  private RemoteObject describe(String name) {
    String version = versionless ? "" : String.valueOf(versions.get(name));
    return new RemoteObject(name, bytes(name).length, version);
  }

  private byte[] bytes(String name) {
    byte[] bytes = objects.get(name);
    if (bytes == null) {
      throw new IllegalArgumentException(name);
    }
    return bytes;
  }

  private byte[] counted(String name) throws IOException {
    require(name);
    if (forbidden.contains(name)) {
      throw new AccessDeniedException(name);
    }
    if (reads.incrementAndGet() > readsUntilFailure) {
      throw new IOException("the network is gone");
    }
    return bytes(name);
  }

  private void require(String name) throws NoSuchFileException {
    if (!objects.containsKey(name)) {
      throw new NoSuchFileException(name);
    }
  }
}
