package io.quiver.benchmarks.demo.data;

import io.quiver.benchmarks.demo.data.DemoData.ItemPlaces;
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

/** A store whose reads are counted item by item. */
final class MeteredStore implements RemoteStore {
  private final RemoteStore store;
  private final ItemPlaces places;
  private final StoreMeter meter;

  /** Fills a buffer from the store. */
  @FunctionalInterface
  private interface Filling {
    void run() throws IOException;
  }

  MeteredStore(RemoteStore store, ItemPlaces places, StoreMeter meter) {
    this.store = store;
    this.places = places;
    this.meter = meter;
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
    FirstBytes first = store.first(name, most);
    meter.read(places.item(name, 0), Math.clamp(most, 0, first.details().object().size()));
    return first;
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    read(object.name(), offset, target, () -> store.read(object, offset, target));
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    InputStream stream = store.open(object, offset, length);
    meter.read(places.item(object.name(), offset), Math.max(0, length));
    return stream;
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    read(name, offset, target, () -> store.read(name, offset, target));
  }

  private void read(String name, long offset, ByteBuffer target, Filling filling)
      throws IOException {
    int count = target.remaining();
    try {
      filling.run();
    } catch (IOException | RuntimeException e) {
      meter.failed();
      throw e;
    }
    meter.read(places.item(name, offset), count);
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    InputStream stream = store.open(name, offset, length);
    meter.read(places.item(name, offset), Math.max(0, length));
    return stream;
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
