package io.quiver.remote.http;

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

/** Looks objects up several at a time and gives the answers in the order of the names. */
final class ParallelLookup<T> implements Iterator<T>, AutoCloseable {
  /** Looks one object up. */
  @FunctionalInterface
  interface Lookup<T> {
    T of(String name) throws IOException;
  }

  private final Lookup<T> lookup;
  private final Iterator<String> names;
  private final int window;
  private final ExecutorService tasks = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Future<T>> ahead = new ArrayDeque<>();

  /**
   * @param window how many to look up at a time
   */
  ParallelLookup(Lookup<T> lookup, Iterator<String> names, int window) {
    this.lookup = lookup;
    this.names = names;
    this.window = window;
  }

  @Override
  public boolean hasNext() {
    while (ahead.size() < window && names.hasNext()) {
      String name = names.next();
      ahead.add(tasks.submit(() -> lookup.of(name)));
    }
    return !ahead.isEmpty();
  }

  @Override
  public T next() {
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
