package io.quiver.remote.http;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.PageCut;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
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
    requireOpen();
    ParallelLookup<RemoteObject> lookups =
        new ParallelLookup<>(objects::stat, matching(prefix), concurrency);
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
  public ListingPage page(ListingRequest request) throws IOException {
    requireOpen();
    List<String> objects = new ArrayList<>();
    ListingPage page =
        PageCut.of(
            names(request),
            request,
            name -> {
              objects.add(name);
              return new RemoteObject(name, 0, "");
            });
    return new ListingPage(lookUp(objects), page.groups(), page.next());
  }

  /** Asks for the objects on one page, several at a time; leaves out those that are gone. */
  private List<RemoteObject> lookUp(List<String> names) throws IOException {
    List<RemoteObject> found = new ArrayList<>();
    try (ParallelLookup<Optional<RemoteObject>> lookups =
        new ParallelLookup<>(this::ifThere, names.iterator(), concurrency)) {
      lookups.forEachRemaining(object -> object.ifPresent(found::add));
    } catch (UncheckedIOException trouble) {
      throw trouble.getCause();
    }
    return found;
  }

  private Optional<RemoteObject> ifThere(String name) throws IOException {
    try {
      return Optional.of(objects.stat(name));
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return objects.details(name);
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    return objects.first(name, most);
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    objects.read(object, offset, target);
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    return objects.open(object, offset, length);
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

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the store " + uri() + " is closed");
    }
  }

  private Iterator<String> matching(String prefix) {
    return names(prefix, prefix);
  }

  private Iterator<String> names(ListingRequest request) {
    String start = PageCut.start(request);
    String prefix = request.prefix();
    return names(prefix, NameOrder.UTF_8.compare(start, prefix) > 0 ? start : prefix);
  }

  private Iterator<String> names(String prefix, String start) {
    return targets.tailMap(start, true).keySet().stream()
        .takeWhile(name -> name.startsWith(prefix))
        .iterator();
  }
}
