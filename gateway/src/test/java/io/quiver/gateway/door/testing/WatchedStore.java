package io.quiver.gateway.door.testing;

import io.quiver.remote.FirstBytes;
import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Counts what is asked of a store, range by range, and lets a test do what it likes in the middle
 * of a read.
 */
public final class WatchedStore implements RemoteStore {
  private final RemoteStore store;
  private final Map<String, AtomicInteger> reads = new ConcurrentHashMap<>();
  private final AtomicInteger details = new AtomicInteger();
  private final AtomicInteger pages = new AtomicInteger();
  private final AtomicInteger firsts = new AtomicInteger();
  private volatile Incident beforeRead = (name, position) -> {};
  private volatile Incident beforeDetails = (name, position) -> {};

  /** Happens before bytes are read, or details. */
  @FunctionalInterface
  public interface Incident {
    /** Waits, fails or does nothing before the byte at this position of the object. */
    void happen(String name, long position) throws IOException;
  }

  /** Watches a store, and closes it when closed. */
  public WatchedStore(RemoteStore store) {
    this.store = store;
  }

  /** Has this happen before every piece of bytes. */
  public void beforeRead(Incident incident) {
    beforeRead = incident;
  }

  /** Has this happen before every question for details or a page. */
  public void beforeDetails(Incident incident) {
    beforeDetails = incident;
  }

  /** Returns the number of reads of the same range that was read most often. */
  public int mostReadsOfOneRange() {
    return reads.values().stream().mapToInt(AtomicInteger::get).max().orElse(0);
  }

  /** Returns the number of requests for bytes. */
  public int reads() {
    return reads.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  /** Returns the number of requests for details. */
  public int details() {
    return details.get();
  }

  /** Returns the number of requests for details with first bytes. */
  public int firsts() {
    return firsts.get();
  }

  /** Returns the number of pages asked for. */
  public int pages() {
    return pages.get();
  }

  private void count(String name, long offset) {
    reads.computeIfAbsent(name + "@" + offset, key -> new AtomicInteger()).incrementAndGet();
  }

  private InputStream watched(String name, long offset, InputStream bytes) {
    return new WatchedStream(name, offset, bytes);
  }

  private final class WatchedStream extends FilterInputStream {
    private final String name;
    private long position;

    private WatchedStream(String name, long position, InputStream bytes) {
      super(bytes);
      this.name = name;
      this.position = position;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      beforeRead.happen(name, position);
      int count = super.read(target, offset, Math.min(length, 16 * 1024));
      position += Math.max(0, count);
      return count;
    }
  }

  @Override
  public Stream<RemoteObject> list(String prefix) throws IOException {
    return store.list(prefix);
  }

  @Override
  public RemoteObject stat(String name) throws IOException {
    details.incrementAndGet();
    beforeDetails.happen(name, 0);
    return store.stat(name);
  }

  @Override
  public ListingPage page(ListingRequest request) throws IOException {
    pages.incrementAndGet();
    beforeDetails.happen(request.prefix(), 0);
    return store.page(request);
  }

  @Override
  public ObjectDetails details(String name) throws IOException {
    details.incrementAndGet();
    beforeDetails.happen(name, 0);
    return store.details(name);
  }

  @Override
  public FirstBytes first(String name, long most) throws IOException {
    firsts.incrementAndGet();
    count(name, 0);
    beforeDetails.happen(name, 0);
    FirstBytes first = store.first(name, most);
    return new FirstBytes(first.details(), watched(name, 0, first.bytes()));
  }

  @Override
  public void read(RemoteObject object, long offset, ByteBuffer target) throws IOException {
    count(object.name(), offset);
    beforeRead.happen(object.name(), offset);
    store.read(object, offset, target);
  }

  @Override
  public InputStream open(RemoteObject object, long offset, long length) throws IOException {
    count(object.name(), offset);
    return watched(object.name(), offset, store.open(object, offset, length));
  }

  @Override
  public void read(String name, long offset, ByteBuffer target) throws IOException {
    count(name, offset);
    beforeRead.happen(name, offset);
    store.read(name, offset, target);
  }

  @Override
  public InputStream open(String name, long offset, long length) throws IOException {
    count(name, offset);
    return watched(name, offset, store.open(name, offset, length));
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
