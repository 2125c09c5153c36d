package io.quiver.remote.http;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Looks objects up several at a time and gives them in the order of their names. */
final class ParallelLookup implements Iterator<RemoteObject>, AutoCloseable {
  private final RemoteStore store;
  private final Iterator<String> names;
  private final int window;
  private final ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Future<RemoteObject>> ahead = new ArrayDeque<>();

  /**
   * @param window how many to look up at a time
   */
  ParallelLookup(RemoteStore store, Iterator<String> names, int window) {
    this.store = store;
    this.names = names;
    this.window = window;
  }

  @Override
  public boolean hasNext() {
    while (ahead.size() < window && names.hasNext()) {
      String name = names.next();
      ahead.add(tasks.submit(() -> store.stat(name)));
    }
    return !ahead.isEmpty();
  }

  @Override
  public RemoteObject next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the listing has ended");
    }
    try {
      return ahead.removeFirst().get();
    } catch (ExecutionException failure) {
      close();
      throw new UncheckedIOException(cause(failure));
    } catch (InterruptedException interrupted) {
      close();
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException("interrupted while listing"));
    }
  }

  /** Ends the lookups under way. */
  @Override
  public void close() {
    tasks.shutdownNow();
  }

  private static IOException cause(ExecutionException failure) {
    return failure.getCause() instanceof IOException trouble
        ? trouble
        : new IOException("listing failed: " + failure.getMessage(), failure);
  }
}
