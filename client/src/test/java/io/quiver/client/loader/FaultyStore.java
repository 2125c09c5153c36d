package io.quiver.client.loader;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/** A store whose reads can be made to fail, wait or lie. */
final class FaultyStore implements RemoteStore {
  /** Does what it likes around one read. */
  @FunctionalInterface
  interface Fault {
    void read(String name, ByteBuffer target, Read proper) throws IOException;
  }

  /** The read as it should be. */
  @FunctionalInterface
  interface Read {
    void run() throws IOException;
  }

  private final RemoteStore store;
  private final Fault fault;

  FaultyStore(RemoteStore store, Fault fault) {
    this.store = store;
    this.fault = fault;
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    return store.list(prefix);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    return store.stat(name);
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    return store.page(request);
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return store.details(name);
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    return store.first(name, most);
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    fault.read(object.name(), target, () -> store.read(object, offset, target));
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    return store.open(object, offset, length);
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    fault.read(name, target, () -> store.read(name, offset, target));
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    return store.open(name, offset, length);
  }

  @Override
  public String uri() {
    return store.uri();
  }

  @Override
  public void close() {
    store.close();
  }
}
