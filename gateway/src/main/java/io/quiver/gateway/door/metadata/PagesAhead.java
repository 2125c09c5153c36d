package io.quiver.gateway.door.metadata;

import io.quiver.remote.ListingPage;
import io.quiver.remote.ListingRequest;
import io.quiver.remote.NameOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the next page of a listing while its reader is busy with this one. Readers that have
 * asked for a second page soon after the first are read ahead of, by one page; those that take
 * longer than the freshness window are not, because the page would be too old when they want it.
 */
final class PagesAhead {
  private static final int MAX_FOLLOWED = 256;
  private static final int MAX_QUESTIONS = 4;

  private final long freshNanos;
  private final LongSupplier nanoTime;
  private final Semaphore questions = new Semaphore(MAX_QUESTIONS);
  // The time at which the page before was given, by the question for the next one. Guarded by
  // itself.
  private final Map<ListingRequest, Long> expected =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ListingRequest, Long> eldest) {
          return size() > MAX_FOLLOWED;
        }
      };

  PagesAhead(long freshNanos, LongSupplier nanoTime) {
    this.freshNanos = freshNanos;
    this.nanoTime = nanoTime;
  }

  /** Returns true if a reader was given the page before this one a short time ago. */
  boolean continues(ListingRequest request) {
    Long given;
    synchronized (expected) {
      given = expected.get(request);
    }
    return given != null && nanoTime.getAsLong() - given < freshNanos;
  }

  /** Notes that a reader has a page, and expects it to ask for the next one. */
  void given(ListingRequest request, ListingPage page) {
    List<ListingRequest> next = new ArrayList<>(2);
    for (boolean byName : new boolean[] {false, true}) {
      ListingRequest one = next(request, page, byName);
      if (one != null) {
        next.add(one);
      }
    }
    long now = nanoTime.getAsLong();
    synchronized (expected) {
      for (ListingRequest one : next) {
        expected.remove(one);
        expected.put(one, now);
      }
    }
  }

  /**
   * Asks for the page after one, in the background and unless enough such questions are under way.
   *
   * @param question asks and keeps the answer
   */
  void ask(ListingRequest request, ListingPage page, Consumer<ListingRequest> question) {
    ListingRequest next = next(request, page, request.token() == null);
    if (next == null || freshNanos == 0 || !questions.tryAcquire()) {
      return;
    }
    Thread.ofVirtual()
        .name("quiver-door-page")
        .start(() -> {
          try {
            question.accept(next);
          } finally {
            questions.release();
          }
        });
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
