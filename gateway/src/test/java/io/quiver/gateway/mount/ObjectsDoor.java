package io.quiver.gateway.mount;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorStatistics;
import io.quiver.gateway.door.OpenObject;
import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A door over objects in memory that tests can replace, delete, and make fail. */
final class ObjectsDoor implements Door {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  private final ConcurrentSkipListMap<String, Stored> objects =
      new ConcurrentSkipListMap<>(NameOrder.UTF_8);
  private final AtomicLong versions = new AtomicLong();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger listed = new AtomicInteger();
  private volatile @Nullable IOException readFailure;
  private volatile @Nullable IOException listFailure;
  private volatile int pieceBytes = Integer.MAX_VALUE;

  private record Stored(RemoteObject object, ByteBuffer bytes) {}

  /** Puts an object, as a new version where there is one. */
  RemoteObject put(String name, byte[] bytes) {
    long version = versions.incrementAndGet();
    RemoteObject object =
        new RemoteObject(name, bytes.length, "v" + version, START.plusMillis(version));
    objects.put(name, new Stored(object, ByteBuffer.wrap(bytes)));
    return object;
  }

  void delete(String name) {
    objects.remove(name);
  }

  /** Lets every read fail, or none if null. */
  void failReads(@Nullable IOException failure) {
    readFailure = failure;
  }

  /** Lets every listing fail, or none if null. */
  void failListings(@Nullable IOException failure) {
    listFailure = failure;
  }

  /** Hands out bytes in pieces of this size. */
  void cutInto(int bytes) {
    pieceBytes = bytes;
  }

  /** Returns how often details were asked for. */
  int asked() {
    return asked.get();
  }

  /** Returns how many pages were asked for. */
  int listed() {
    return listed.get();
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    asked.incrementAndGet();
    return new ObjectDetails(stored(name).object, "text/plain", Map.of());
  }

  private Stored stored(String name) throws NoSuchFileException {
    Stored stored = objects.get(name);
    if (stored == null) {
      throw new NoSuchFileException(name);
    }
    return stored;
  }

  @Override
  public ListingPage list(ListingRequest request) throws IOException {
    listed.incrementAndGet();
    IOException failure = listFailure;
    if (failure != null) {
      throw new IOException(failure);
    }
    List<RemoteObject> found = new ArrayList<>();
    List<String> groups = new ArrayList<>();
    String prefix = request.prefix();
    String next = request.token() == null ? prefix : request.token();
    boolean inclusive = request.token() == null;
    while (true) {
      Map.Entry<String, Stored> entry =
          inclusive ? objects.ceilingEntry(next) : objects.higherEntry(next);
      if (entry == null || !entry.getKey().startsWith(prefix)) {
        return new ListingPage(found, groups, null);
      }
      if (found.size() + groups.size() == request.maxEntries()) {
        return new ListingPage(found, groups, next);
      }
      int slash = entry.getKey().indexOf('/', prefix.length());
      if (request.delimiter().equals("/") && slash >= 0) {
        String group = entry.getKey().substring(0, slash + 1);
        groups.add(group);
        next = group + Character.toString(Character.MAX_CODE_POINT);
      } else {
        found.add(entry.getValue().object);
        next = entry.getKey();
      }
      inclusive = false;
    }
  }

  @Override
  public OpenObject open(ObjectDetails details) {
    return new Handle(details);
  }

  @Override
  public void forget(String name) {}

  @Override
  public DoorStatistics statistics() {
    return new DoorStatistics(0, 0, 0, 0, 0);
  }

  @Override
  public void close() {}

  private final class Handle implements OpenObject {
    private final ObjectDetails details;

    private Handle(ObjectDetails details) {
      this.details = details;
    }

    @Override
    public ObjectDetails details() {
      return details;
    }

    @Override
    public int read(long offset, ByteBuffer target) throws IOException {
      int length =
          (int) Math.min(target.remaining(), Math.max(0, details.object().size() - offset));
      transfer(offset, length, target::put);
      return length;
    }

    @Override
    public void transfer(long offset, long length, ByteConsumer consumer) throws IOException {
      IOException failure = readFailure;
      if (failure != null) {
        throw new IOException(failure.getMessage());
      }
      Stored stored = stored(details.object().name());
      if (!stored.object.equals(details.object())) {
        throw new ChangedObjectException(details.object().name());
      }
      for (long at = offset; at < offset + length; at += pieceBytes) {
        int size = (int) Math.min(pieceBytes, offset + length - at);
        ByteBuffer piece =
            ByteBuffer.allocateDirect(size).put(stored.bytes.slice((int) at, size)).flip();
        consumer.accept(piece);
      }
    }

    @Override
    public void close() {}
  }
}
