package io.quiver.benchmarks.demo.data;

import io.quiver.benchmarks.demo.data.DemoData.ItemPlaces;
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
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    int count = target.remaining();
    try {
      store.read(name, offset, target);
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
