package io.quiver.remote.retry;

import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Orders a listing by UTF-8 bytes although the service has an order of its own.
 *
 * <p>Digests number their items by the order, and two users' digests of one data set must agree.
 * Amazon lists by UTF-8 bytes; some services list by UTF-16 units, or folder by folder. A window of
 * objects is held back and the smallest one given, which mends every listing no longer than the
 * window and every longer one whose objects are no further out of place; beyond that it fails.
 */
public final class ReorderingListing implements Iterator<RemoteObject> {
  private final Iterator<RemoteObject> source;
  private final int window;
  private final String uri;
  private final PriorityQueue<RemoteObject> held =
      new PriorityQueue<>(Comparator.comparing(RemoteObject::name, NameOrder.UTF_8));
  private @Nullable String last;

  /**
   * @param window how many objects are held back; 1 for services that keep the order
   */
  public ReorderingListing(Iterator<RemoteObject> source, int window, String uri) {
    this.source = source;
    this.window = window;
    this.uri = uri;
  }

  @Override
  public boolean hasNext() {
    while (held.size() < window && source.hasNext()) {
      held.add(source.next());
    }
    return !held.isEmpty();
  }

  @Override
  public RemoteObject next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the listing has ended");
    }
    RemoteObject object = held.remove();
    if (last != null && NameOrder.UTF_8.compare(last, object.name()) >= 0) {
      throw new UncheckedIOException(
          new IOException(
              uri
                  + " lists '"
                  + object.name()
                  + "' too long after '"
                  + last
                  + "' to be put in the order of UTF-8 bytes; open one of its folders at a time"));
    }
    last = object.name();
    return object;
  }
}
