package io.quiver.benchmarks.doors;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorStatistics;
import io.quiver.gateway.door.OpenObject;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A door that makes its bytes up. */
final class MemoryDoor implements Door {
  private static final ThreadLocal<ByteBuffer> PIECE =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(1 << 20));

  private final MadeFiles files;

  MemoryDoor(MadeFiles files) {
    this.files = files;
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    if (files.number(name) < 0) {
      throw new NoSuchFileException(name);
    }
    return new ObjectDetails(object(name), "", Map.of());
  }

  private RemoteObject object(String name) {
    return new RemoteObject(name, files.bytes(), "1");
  }

  @Override
  public ListingPage list(ListingRequest request) {
    if (!request.prefix().isEmpty()) {
      return new ListingPage(List.of(), List.of(), null);
    }
    int from = request.token() == null ? 0 : Integer.parseInt(request.token());
    int to = Math.min(files.count(), from + request.maxEntries());
    List<RemoteObject> objects = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      objects.add(object(MadeFiles.name(i)));
    }
    return new ListingPage(objects, List.of(), to == files.count() ? null : Integer.toString(to));
  }

  @Override
  public OpenObject open(ObjectDetails details) {
    return new MadeObject(details, files.number(details.object().name()));
  }

  @Override
  public void forget(String name) {}

  @Override
  public DoorStatistics statistics() {
    return new DoorStatistics(0, 0, 0, 0, 0);
  }

  @Override
  public void close() {}

  private final class MadeObject implements OpenObject {
    private final ObjectDetails details;
    private final int number;

    private MadeObject(ObjectDetails details, int number) {
      this.details = details;
      this.number = number;
    }

    @Override
    public ObjectDetails details() {
      return details;
    }

    @Override
    public int read(long offset, ByteBuffer target) {
      int length = (int) Math.min(target.remaining(), Math.max(0, files.bytes() - offset));
      files.copy(number, offset, target.limit(target.position() + length));
      return length;
    }

    @Override
    public void transfer(long offset, long length, ByteConsumer consumer) throws IOException {
      ByteBuffer piece = PIECE.get();
      for (long at = offset; at < offset + length; at += piece.limit()) {
        piece.clear().limit((int) Math.min(piece.capacity(), offset + length - at));
        files.copy(number, at, piece);
        consumer.accept(piece.flip());
      }
    }

    @Override
    public void close() {}
  }
}
