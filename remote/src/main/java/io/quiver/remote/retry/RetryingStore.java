package io.quiver.remote.retry;

import io.quiver.remote.Ranges;
import io.quiver.remote.RemoteConfig;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.retry.ObjectSource.Page;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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
import org.jspecify.annotations.Nullable;

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
            new PagedListing(token -> page(prefix, token), uri()), source.listingWindow(), uri());
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(
            objects, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT),
        false);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    return retries.call(
        "looking up '" + name + "' in " + uri(), () -> limited(() -> source.stat(name)));
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

  private Page page(String prefix, @Nullable String token) throws IOException {
    return retries.call(
        "listing '" + prefix + "' in " + uri(), () -> limited(() -> source.list(prefix, token)));
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
        RemoteObject object = source.stat(name);
        if (offset > object.size()) {
          throw Ranges.pastTheEnd(name, offset, object.size());
        }
        if (offset < object.size()) {
          throw new TransientFailure("the service refused a range that exists", beyond);
        }
        return ObjectBody.empty(object);
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
