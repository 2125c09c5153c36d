package io.quiver.remote.http;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads the objects of a URL list: the list gives the names, each object is asked for its size. */
final class UrlListStore implements RemoteStore {
  private final RemoteStore objects;
  private final NavigableMap<String, URI> targets;
  private final int concurrency;
  private volatile boolean closed;

  UrlListStore(RemoteStore objects, NavigableMap<String, URI> targets, int concurrency) {
    this.objects = objects;
    this.targets = targets;
    this.concurrency = concurrency;
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    if (closed) {
      throw new IOException("the store " + uri() + " is closed");
    }

    ParallelLookup lookups = new ParallelLookup(objects, matching(prefix), concurrency);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                lookups, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
            false)
        .onClose(lookups::close);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    return objects.stat(name);
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    objects.read(name, offset, target);
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    return objects.open(name, offset, length);
  }

  @Override
  public String uri() {
    return objects.uri();
  }

  @Override
  public void close() {
    closed = true;
    objects.close();
  }

  private Iterator<String> matching(String prefix) {
    return targets.tailMap(prefix, true).keySet().stream()
        .takeWhile(name -> name.startsWith(prefix))
        .iterator();
  }
}
