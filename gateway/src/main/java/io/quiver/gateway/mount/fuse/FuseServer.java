package io.quiver.gateway.mount.fuse;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Answers the kernel's requests for one mounted file system. Threads come as requests need them and
 * go when too many are idle, because the kernel hands requests to idle threads in turn and each
 * needs its own buffers.
 */
public final class FuseServer {
  private static final int MOST_IDLE = 16;

  private final int descriptor;
  private final FuseFileSystem files;
  private final FuseSettings settings;
  private final FuseFeatures features = new FuseFeatures();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger idle = new AtomicInteger();
  private final AtomicInteger names = new AtomicInteger();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CountDownLatch started = new CountDownLatch(1);
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

  private FuseServer(int descriptor, FuseFileSystem files, FuseSettings settings) {
    this.descriptor = descriptor;
    this.files = files;
    this.settings = settings;
  }

  /**
   * Begins to answer.
   *
   * @param descriptor of {@code /dev/fuse}; the server closes it when the file system is unmounted
   */
  static FuseServer start(int descriptor, FuseFileSystem files, FuseSettings settings) {
    FuseServer server = new FuseServer(descriptor, files, settings);
    server.running.set(1);
    server.addThread();
    return server;
  }

  /** Waits until the kernel has agreed on a protocol; returns false if the time ran out. */
  public boolean awaitStart(Duration timeout) throws InterruptedException {
    return started.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until the file system is unmounted and all threads have ended. */
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Waits until the file system is unmounted, whoever does it. */
  public void awaitEnd() throws InterruptedException {
    ended.await();
  }

  FuseFileSystem files() {
    return files;
  }

  FuseSettings settings() {
    return settings;
  }

  FuseFeatures features() {
    return features;
  }

  void markStarted() {
    started.countDown();
  }

  private void addThread() {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("mount-" + names.incrementAndGet())
            .unstarted(this::serve);
    threads.add(thread);
    thread.start();
  }

  private void serve() {
    try (FuseChannel channel = new FuseChannel(descriptor)) {
      FuseWorker worker = new FuseWorker(this, channel);
      do {
        idle.incrementAndGet();
        ByteBuffer request = channel.receive();
        int others = idle.decrementAndGet();
        if (request == null) {
          return;
        }
        if (others == 0 && running.getAndUpdate(this::grown) < settings.threads()) {
          addThread();
        }
        worker.answer(request);
      } while (idle.get() < MOST_IDLE);
    } finally {
      threads.remove(Thread.currentThread());
      if (running.decrementAndGet() == 0) {
        NativeCalls.close(descriptor);
        ended.countDown();
      }
    }
  }

  private int grown(int count) {
    return Math.min(settings.threads(), count + 1);
  }
}
