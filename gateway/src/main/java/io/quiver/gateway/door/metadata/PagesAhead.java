package io.quiver.gateway.door.metadata;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the next pages of a listing while its reader is busy with this one. Stores give one page
 * after the other, each named by the one before. So a reader that is now and then slower than the
 * store only keeps it busy if several pages may wait for it.
 *
 * <p>Readers that have asked for a second page soon after the first are read ahead of, by one page
 * more with each page that they take, up to {@value #MAX_DEPTH}. Those that take longer than the
 * freshness window are not, because the page would be too old when they want it.
 */
final class PagesAhead {
  private static final int MAX_DEPTH = 3;
  private static final int MAX_FOLLOWED = 256;

  /** Most readers at once that are read ahead of; each has as many walks as pages ahead. */
  private static final int MAX_READERS = 4;

  private final long freshNanos;
  private final LongSupplier nanoTime;
  private final Semaphore walks = new Semaphore(MAX_READERS * MAX_DEPTH);
  // By the question for the page that is expected. Guarded by itself.
  private final Map<ListingRequest, Expected> expected =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ListingRequest, Expected> eldest) {
          return size() > MAX_FOLLOWED;
        }
      };

  /** The time at which a reader was given the page before, and how far to read ahead of it. */
  private record Expected(long given, int depth) {}

  /** Asks for a page and keeps the answer. */
  @FunctionalInterface
  interface Question {
    /** Returns the page; null if it could not be had or is not kept for its reader. */
    @Nullable ListingPage ask(ListingRequest request);
  }

  PagesAhead(long freshNanos, LongSupplier nanoTime) {
    this.freshNanos = freshNanos;
    this.nanoTime = nanoTime;
  }

  /**
   * Returns how many pages behind this one to ask for: none unless a reader was given the page
   * before this one a short time ago, and no more than it takes in the freshness window.
   */
  int depth(ListingRequest request) {
    Expected known;
    synchronized (expected) {
      known = expected.get(request);
    }
    if (known == null) {
      return 0;
    }
    long busy = nanoTime.getAsLong() - known.given;
    return busy >= freshNanos ? 0 : Math.clamp(freshNanos / Math.max(1, busy), 1, known.depth);
  }

  /**
   * Notes that a reader has a page, and expects it to ask for the next one.
   *
   * @param depth the pages that are asked for ahead of it now
   */
  void given(ListingRequest request, ListingPage page, int depth) {
    List<ListingRequest> next = new ArrayList<>(2);
    for (boolean byName : new boolean[] {false, true}) {
      ListingRequest one = next(request, page, byName);
      if (one != null) {
        next.add(one);
      }
    }
    Expected one = new Expected(nanoTime.getAsLong(), Math.min(MAX_DEPTH, depth + 1));
    synchronized (expected) {
      for (ListingRequest each : next) {
        expected.remove(each);
        expected.put(each, one);
      }
    }
  }

  /**
   * Asks for the pages behind one, in the background and unless enough is asked already. Pages that
   * are known or on their way are not asked for again, so walks of one reader follow each other.
   */
  void ask(ListingRequest request, ListingPage page, int depth, Question question) {
    if (depth == 0 || page.next() == null || !walks.tryAcquire()) {
      return;
    }
    Thread.ofVirtual()
        .name("quiver-door-page")
        .start(() -> {
          try {
            walk(request, page, depth, question);
          } finally {
            walks.release();
          }
        });
  }

  private static void walk(ListingRequest from, ListingPage first, int depth, Question question) {
    boolean byName = from.token() == null;
    ListingRequest request = from;
    ListingPage page = first;
    for (int i = 0; i < depth && page != null; i++) {
      request = next(request, page, byName);
      if (request == null) {
        return;
      }
      page = question.ask(request);
    }
  }

  /**
   * Returns the question for the page after one; null if there is none. Readers name the next page
   * by its token, or by the last name that they saw.
   */
  private static @Nullable ListingRequest next(
      ListingRequest request, ListingPage page, boolean byName) {
    if (page.next() == null) {
      return null;
    }
    if (!byName) {
      return request.after(page.next());
    }
    String last = last(page);
    return last == null
        ? null
        : new ListingRequest(
            request.prefix(), request.delimiter(), last, null, request.maxEntries());
  }

  private static @Nullable String last(ListingPage page) {
    String object = page.objects().isEmpty() ? null : page.objects().getLast().name();
    String group = page.groups().isEmpty() ? null : page.groups().getLast();
    if (object == null || group == null) {
      return object == null ? group : object;
    }
    return NameOrder.UTF_8.compare(object, group) > 0 ? object : group;
  }
}
