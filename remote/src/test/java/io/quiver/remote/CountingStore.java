package io.quiver.remote;

import io.quiver.remote.retry.Retries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts what is asked of another store. */
public final class CountingStore implements RemoteStore {
  private final RemoteStore store;
  private final LongAdder lists = new LongAdder();
  private final LongAdder stats = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder opens = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder failures = new LongAdder();

  /**
   * Counts of the calls made to a store.
   *
   * @param lists listings begun and pages asked for
   * @param stats objects looked up
   * @param reads ranges read into buffers
   * @param opens streams opened, first bytes among them
   * @param bytes delivered
   * @param failures calls that failed
   */
  public record Counts(long lists, long stats, long reads, long opens, long bytes, long failures) {
    /** Returns the number of calls of every kind together. */
    public long requests() {
      return lists + stats + reads + opens;
    }
  }

  /** Counts what is asked of this store, and closes it when closed. */
  public CountingStore(RemoteStore store) {
    this.store = store;
  }

  /** Returns the counts up to now. */
  public Counts counts() {
    return new Counts(
        lists.sum(), stats.sum(), reads.sum(), opens.sum(), bytes.sum(), failures.sum());
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    return counted(lists, () -> store.list(prefix));
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    return counted(stats, () -> store.stat(name));
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    return counted(lists, () -> store.page(request));
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    return counted(stats, () -> store.details(name));
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    FirstBytes first = counted(opens, () -> store.first(name, most));
    return new FirstBytes(
        first.details(), new CountedStream(first.bytes(), Integer.MAX_VALUE, bytes::add));
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    countedRead(
        target,
        () -> {
          store.read(object, offset, target);
          return target;
        });
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    InputStream stream = counted(opens, () -> store.open(object, offset, length));
    return new CountedStream(stream, Integer.MAX_VALUE, bytes::add);
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    countedRead(
        target,
        () -> {
          store.read(name, offset, target);
          return target;
        });
  }

  private void countedRead(ByteBuffer target, Retries.Attempt<ByteBuffer> call) throws IOException {
    int before = target.remaining();
    try {
      counted(reads, call);
    } finally {
      bytes.add(before - target.remaining());
    }
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    InputStream stream = counted(opens, () -> store.open(name, offset, length));
    return new CountedStream(stream, Integer.MAX_VALUE, bytes::add);
  }

  @Override
  public String uri() {
    return store.uri();
  }

  @Override
  public void close() {
    store.close();
  }

  private <T> T counted(LongAdder counter, Retries.Attempt<T> call) throws IOException {
    counter.increment();
    try {
      return call.run();
    } catch (IOException | RuntimeException failure) {
      failures.increment();
      throw failure;
    }
  }
}
