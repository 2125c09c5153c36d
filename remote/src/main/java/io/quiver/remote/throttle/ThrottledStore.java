package io.quiver.remote.throttle;

import io.quiver.remote.CountedStream;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/**
 * Makes a store as slow as a shared bucket far away, for measurements that must not depend on a
 * real one. Stores that share a {@link Throttle} share its link.
 */
public final class ThrottledStore implements RemoteStore {
  /** The number of objects one request lists, as in S3. */
  private static final int OBJECTS_PER_PAGE = 1000;

  private final RemoteStore store;
  private final Throttle throttle;
  private volatile boolean closed;

  /** Fills a buffer from the store. */
  @FunctionalInterface
  private interface Filling {
    void run() throws IOException;
  }

  /** Slows a store down, and closes it when closed. */
  public ThrottledStore(RemoteStore store, Throttle throttle) {
    this.store = store;
    this.throttle = throttle;
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    request();
    long[] listed = {0};
    return store
        .list(prefix)
        .peek(object -> {
          if (++listed[0] % OBJECTS_PER_PAGE == 0) {
            requestUnchecked();
          }
        });
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    request();
    return store.stat(name);
  }

  @Override
  public ListingPage page(ListingRequest asked) throws IOException {
    request();
    return store.page(asked);
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    request();
    return store.details(name);
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    request();
    FirstBytes first = store.first(name, most);
    return new FirstBytes(first.details(), throttled(first.bytes()));
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    read(target, () -> store.read(object, offset, target));
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    request();
    return throttled(store.open(object, offset, length));
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    read(target, () -> store.read(name, offset, target));
  }

  private void read(ByteBuffer target, Filling filling) throws IOException {
    request();
    int before = target.remaining();
    try {
      filling.run();
    } finally {
      bytes(before - target.remaining());
    }
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    request();
    return throttled(store.open(name, offset, length));
  }

  private InputStream throttled(InputStream stream) {
    return new CountedStream(stream, throttle.portion(), this::bytes);
  }

  @Override
  public String uri() {
    return store.uri();
  }

  @Override
  public void close() {
    closed = true;
    store.close();
  }

  private void request() throws IOException {
    throttle.request();
    requireOpen();
  }

  private void requestUnchecked() {
    try {
      request();
    } catch (IOException trouble) {
      throw new UncheckedIOException(trouble);
    }
  }

  /** Waits portion by portion, so that a close is noticed soon. */
  private void bytes(long count) throws IOException {
    for (long left = count; left > 0; left -= throttle.portion()) {
      requireOpen();
      throttle.bytes(Math.min(left, throttle.portion()));
    }
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the store " + uri() + " is closed");
    }
  }
}
