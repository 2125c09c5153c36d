package io.quiver.gateway.door;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A door without a cache: everything comes from the store, as fresh as the store has it. */
public final class StoreDoor implements Door {
  private static final int PIECE_BYTES = 1 << 16;

  private final RemoteStore store;

  /** Makes a door over a store, which it closes. */
  public StoreDoor(RemoteStore store) {
    this.store = store;
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return store.details(name);
  }

  @Override
  public ListingPage list(ListingRequest request) throws IOException {
    return store.page(request);
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
  public void close() {
    store.close();
  }

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
      long left = details.object().size() - offset;
      int length = (int) Math.min(Math.max(0, left), target.remaining());
      if (length > 0) {
        store.read(details.object(), offset, target.slice(target.position(), length));
        target.position(target.position() + length);
      }
      return length;
    }

    @Override
    public void transfer(long offset, long length, ByteConsumer consumer) throws IOException {
      long end = offset + length;
      for (long at = offset; at < end; at += PIECE_BYTES) {
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, end - at));
        store.read(details.object(), at, piece);
        consumer.accept(piece.flip());
      }
    }

    @Override
    public void close() {}
  }
}
