package io.quiver.remote.http;

import io.quiver.core.text.PlainDuration;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends reads that wait too long for a byte. The JDK's HTTP client bounds the wait for an answer's
 * head but not for its body, so one watcher looks at all bodies a few times per timeout and closes
 * those that stall.
 */
final class StallWatch implements AutoCloseable {
  private static final int LOOKS_PER_TIMEOUT = 4;

  private final long timeoutNanos;
  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread watcher;

  StallWatch(Duration timeout) {
    this.timeoutNanos = timeout.toNanos();
    this.watcher = Thread.ofVirtual().name("stall-watch").start(this::run);
  }

  /** Wraps a body so that a read without a byte for too long fails. */
  InputStream watch(InputStream body) {
    Watched stream = new Watched(body);
    watched.add(stream);
    return stream;
  }

  /** Stops watching. Streams still open are closed. */
  @Override
  public void close() {
    closed.countDown();
    watched.forEach(Watched::end);
    watcher.interrupt();
  }

  private void run() {
    try {
      while (!closed.await(timeoutNanos / LOOKS_PER_TIMEOUT, TimeUnit.NANOSECONDS)) {
        long now = System.nanoTime();
        watched.forEach(stream -> stream.look(now));
      }
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Watched extends InputStream {
    private final InputStream body;
    private volatile boolean waiting;
    private volatile long since;
    private volatile boolean stalled;

    Watched(InputStream body) {
      this.body = body;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      since = System.nanoTime();
      waiting = true;
      try {
        int count = body.read(bytes, offset, length);
        if (count < 0 && stalled) {
          throw stall();
        }
        return count;
      } catch (IOException failure) {
        throw stalled ? stall() : failure;
      } finally {
        waiting = false;
      }
    }

    @Override
    public void close() {
      watched.remove(this);
      end();
    }

    private void look(long now) {
      if (waiting && now - since > timeoutNanos) {
        stalled = true;
        close();
      }
    }

    private void end() {
      try {
        body.close();
      } catch (IOException ignored) {
        // It is dropped either way.
        stalled |= waiting;
      }
    }

    private SocketTimeoutException stall() {
      return new SocketTimeoutException(
          "no byte arrived for " + PlainDuration.of(Duration.ofNanos(timeoutNanos)));
    }
  }
}
