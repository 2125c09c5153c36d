package io.quiver.remote.retry;

import io.quiver.remote.ChangedObjectException;
import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.Ranges;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.Versions;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Makes a dependable store of a service's single attempts: bounded retries that resume where a
 * stream broke, a deadline for every call, a bound on the requests under way, and a close that ends
 * them all.
 */
public final class RetryingStore implements RemoteStore {
  private final ObjectSource source;
  private final Retries retries;
  private final RequestSlots slots;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Set<ObjectBody> underWay = ConcurrentHashMap.newKeySet();
  private final RetryBudget budget;

  public RetryingStore(ObjectSource source, RemoteConfig config) {
    this.source = source;
    this.slots = new RequestSlots(config.connections(), config.timeouts().call());
    this.budget = new RetryBudget(config.retries().budget());
    this.retries =
        new Retries(
            new RetryPolicy(config.retries(), config.timeouts().call()),
            budget,
            System::nanoTime,
            RandomGenerator.of("SplittableRandom"),
            nanos -> closed.await(nanos, TimeUnit.NANOSECONDS));
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    requireOpen();
    Iterator<RemoteObject> objects =
        new ReorderingListing(
            new PagedListing(token -> page(ListingRequest.all(prefix).after(token)), uri()),
            source.listingWindow(),
            uri());
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            objects, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
        false);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    return details(name).object();
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return retries.call(
        "looking up '" + name + "' in " + uri(), () -> limited(() -> source.details(name)));
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    ListingPage page =
        retries.call(
            "listing '" + request.prefix() + "' in " + uri(),
            () -> limited(() -> source.page(request)));
    String start = request.startAfter();
    return new ListingPage(
        page.objects().stream()
            .filter(object -> NameOrder.UTF_8.compare(object.name(), start) > 0)
            .sorted(Comparator.comparing(RemoteObject::name, NameOrder.UTF_8))
            .toList(),
        page.groups().stream()
            .filter(group -> NameOrder.UTF_8.compare(group, start) > 0)
            .sorted(NameOrder.UTF_8)
            .toList(),
        page.next());
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    if (most <= 0) {
      return new FirstBytes(details(name), InputStream.nullInputStream());
    }
    ResumingStream stream = stream(name, 0, most, true).begin();
    return new FirstBytes(stream.details(), stream);
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    Versions.require(object, uri());
    long left = left(object, offset);
    if (target.remaining() > left) {
      throw Ranges.endsEarly(object.name(), object.size(), target.remaining() - left);
    }
    try (InputStream stream = open(object, offset, target.remaining())) {
      if (!BufferFill.fill(stream, target)) {
        throw Ranges.endsEarly(object.name(), object.size(), target.remaining());
      }
    }
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    Versions.require(object, uri());
    if (left(object, offset) == 0 || length == 0) {
      Versions.requireSame(object, stat(object.name()));
      return InputStream.nullInputStream();
    }
    return stream(object.name(), offset, length, true).ofVersion(object).begin();
  }

  /** Returns the bytes of an object from an offset on. */
  private static long left(RemoteObject object, long offset) throws EOFException {
    if (Ranges.requireOffset(offset) > object.size()) {
      throw Ranges.pastTheEnd(object.name(), offset, object.size());
    }
    return object.size() - offset;
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      open(name, offset, 0).close();
      return;
    }
    try (ResumingStream stream = stream(name, offset, target.remaining(), false).begin()) {
      if (!BufferFill.fill(stream, target)) {
        throw Ranges.endsEarly(name, stream.position(), target.remaining());
      }
    }
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    if (length != 0) {
      return stream(name, offset, length, true).begin();
    }
    long size = stat(name).size();
    if (Ranges.requireOffset(offset) > size) {
      throw Ranges.pastTheEnd(name, offset, size);
    }
    return InputStream.nullInputStream();
  }

  @Override
  public String uri() {
    return source.uri();
  }

  @Override
  public void close() {
    closed.countDown();
    underWay.forEach(ObjectBody::abort);
    source.close();
  }

  /** Returns the number of retries left, for tests and counters. */
  public long retriesLeft() {
    return budget.left();
  }

  /** Returns the number of requests under way. */
  public int requestsUnderWay() {
    return slots.taken();
  }

  private ResumingStream stream(String name, long offset, long length, boolean unhurried) {
    Ranges.requireOffset(offset);
    Retries.Session session = retries.begin("reading '" + name + "' in " + uri());
    return new ResumingStream(name, offset, length, session, unhurried, new Tracked());
  }

  private <T> T limited(Retries.Attempt<T> attempt) throws IOException {
    requireOpen();
    slots.take();
    try {
      return attempt.run();
    } finally {
      slots.giveBack();
    }
  }

  private void requireOpen() throws IOException {
    if (closed.getCount() == 0) {
      throw new IOException("the store " + uri() + " is closed");
    }
  }

  /** Opens requests and keeps track of them. */
  private final class Tracked implements ResumingStream.Bodies {
    @Override
    public ObjectBody open(String name, long offset, long length, String version)
        throws IOException {
      requireOpen();
      slots.take();
      ObjectBody body;
      try {
        body = attempt(name, offset, length, version);
      } catch (IOException | RuntimeException failure) {
        slots.giveBack();
        throw failure;
      }
      underWay.add(body);
      if (closed.getCount() == 0) {
        body.abort();
      }
      return body;
    }

    /**
     * Opens a range, and returns an empty body where a service refuses one that begins at the very
     * end.
     */
    private ObjectBody attempt(String name, long offset, long length, String version)
        throws IOException {
      try {
        return source.open(name, offset, length, version);
      } catch (EOFException beyond) {
        ObjectDetails details = source.details(name);
        RemoteObject object = details.object();
        if (!version.isEmpty() && !version.equals(object.version())) {
          throw new ChangedObjectException(name);
        }
        if (offset > object.size()) {
          throw Ranges.pastTheEnd(name, offset, object.size());
        }
        if (offset < object.size()) {
          throw new TransientFailure("the service refused a range that exists", beyond);
        }
        return ObjectBody.empty(details);
      }
    }

    @Override
    public void release(ObjectBody body) {
      try {
        body.close();
      } finally {
        underWay.remove(body);
        slots.giveBack();
      }
    }
  }

  /** Fills buffers from streams, straight into the array where a buffer has one. */
  static final class BufferFill {
    private static final int COPY_BUFFER = 64 * 1024;

    private BufferFill() {}

    /** Reads until the buffer is full; returns false if the stream ended before. */
    static boolean fill(InputStream stream, ByteBuffer target) throws IOException {
      return target.hasArray() ? fillArray(stream, target) : fillByCopy(stream, target);
    }

    private static boolean fillArray(InputStream stream, ByteBuffer target) throws IOException {
      while (target.hasRemaining()) {
        int start = target.arrayOffset() + target.position();
        int count = stream.read(target.array(), start, target.remaining());
        if (count < 0) {
          return false;
        }
        target.position(target.position() + count);
      }
      return true;
    }

    private static boolean fillByCopy(InputStream stream, ByteBuffer target) throws IOException {
      byte[] copy = new byte[Math.min(COPY_BUFFER, target.remaining())];
      while (target.hasRemaining()) {
        int count = stream.read(copy, 0, Math.min(copy.length, target.remaining()));
        if (count < 0) {
          return false;
        }
        target.put(copy, 0, count);
      }
      return true;
    }
  }
}
