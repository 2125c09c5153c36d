package io.quiver.core.engine;

import io.quiver.core.order.Draw;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides how far reading runs ahead of the training loop of one rank in one epoch. It bounds the
 * batches and bytes that are being read or wait, and says which batch is taken next.
 *
 * <p>Where the order is known, items are read before they are drawn. That is a conversation: {@link
 * #lookAhead} names the items to look up, {@link #lookedUp} and {@link #claimed} take the answers
 * of the cache, and each returns the next step.
 *
 * @param <B> a batch that was read, or its failure
 */
public final class ReadAheadWindow<B> {
  /** Bounds the batches ahead unless a job says otherwise. */
  public static final int STANDARD_BATCHES = 4;

  /** Bounds the bytes of these batches unless a job says otherwise. */
  public static final long STANDARD_BYTES = 256L << 20;

  /** Bounds the upcoming items that are considered, and so the items of one question. */
  public static final int MOST_UPCOMING = 1024;

  private static final int FEW_UPCOMING = 64;

  /** The kinds of steps. */
  public enum Kind {
    /** Ask the cache which of the items it has. */
    LOOK_UP,
    /** Ask the cache for the claims of the items. */
    CLAIM,
    /** Read the items from the store before they can be drawn. */
    FETCH,
    /** Wait until the order has moved on. */
    REST
  }

  /** The next thing to do, and the items to do it with. */
  public record Step(Kind kind, List<Integer> items) {
    static final Step REST = new Step(Kind.REST, List.of());

    /** Copies the items. */
    public Step {
      items = List.copyOf(items);
    }
  }

  private record Ready<B>(long bytes, B batch) {}

  private final int maxBatches;
  private final long maxBytes;
  private final boolean inOrder;
  private final IntToLongFunction sizes;
  private final TreeMap<Long, Ready<B>> ready = new TreeMap<>();
  private final Map<Long, Long> reading = new TreeMap<>();
  private long nextDrawn;
  private long nextTaken;
  private long bytesAhead;
  private final Set<Integer> asked = new LinkedHashSet<>();
  private List<Integer> question = List.of();
  private List<Integer> missing = new ArrayList<>();

  /**
   * Opens an empty window.
   *
   * @param maxBatches most batches that are being read or wait
   * @param maxBytes most bytes of them; one batch is always allowed
   * @param inOrder true to take batches in the order of their draws instead of their completion
   * @param sizes the bytes of each item
   */
  public ReadAheadWindow(int maxBatches, long maxBytes, boolean inOrder, IntToLongFunction sizes) {
    this.maxBatches = maxBatches;
    this.maxBytes = maxBytes;
    this.inOrder = inOrder;
    this.sizes = sizes;
  }

  /** Returns true if another batch may be drawn. */
  public boolean mayDraw() {
    int batches = reading.size() + ready.size();
    return batches == 0 || (batches < maxBatches && bytesAhead < maxBytes);
  }

  /** Begins to read a draw; returns its number. */
  public long begin(Draw draw) {
    double share = (double) draw.want() / Math.max(1, draw.candidates().length);
    return begin(Math.round(bytes(draw.candidates()) * share) + bytes(draw.fetch()));
  }

  /** Begins to read a batch of about so many bytes; returns its number. */
  public long begin(long bytes) {
    bytesAhead += bytes;
    reading.put(nextDrawn, bytes);
    return nextDrawn++;
  }

  private long bytes(int[] items) {
    return IntStream.of(items).mapToLong(sizes).sum();
  }

  /** Ends the reading of a batch, which now waits to be taken. */
  public void end(long number, B batch) {
    Long bytes = reading.remove(number);
    if (bytes == null) {
      throw new IllegalArgumentException("batch " + number + " is not being read");
    }
    ready.put(number, new Ready<>(bytes, batch));
  }

  /** Returns true if no batch is being read or waits. */
  public boolean isEmpty() {
    return reading.isEmpty() && ready.isEmpty();
  }

  /** Takes the next batch; returns null while it is not there. */
  public @Nullable B take() {
    Map.Entry<Long, Ready<B>> first = ready.firstEntry();
    if (first == null || (inOrder && first.getKey() != nextTaken)) {
      return null;
    }
    ready.pollFirstEntry();
    nextTaken = Math.max(nextTaken, first.getKey() + 1);
    bytesAhead -= first.getValue().bytes;
    return first.getValue().batch;
  }

  /** Takes all batches that wait, in any order. */
  public List<B> drain() {
    List<B> rest = ready.values().stream().map(Ready::batch).toList();
    ready.clear();
    return rest;
  }

  /**
   * Names the items to look up: those that come next, fit into the bytes that are left and were not
   * looked up before.
   *
   * @param upcoming returns at most so many items of the order that come next
   */
  public Step lookAhead(IntFunction<int[]> upcoming) {
    Set<Integer> coming = new LinkedHashSet<>();
    long left = maxBytes - bytesAhead;
    for (int item : fitting(upcoming, left)) {
      left -= sizes.applyAsLong(item);
      if (left < 0) {
        break;
      }
      coming.add(item);
    }
    asked.retainAll(coming);
    coming.removeAll(asked);
    asked.addAll(coming);
    return ask(Kind.LOOK_UP, List.copyOf(coming));
  }

  /** Returns upcoming items, enough to fill these bytes: to know many of them takes time. */
  private int[] fitting(IntFunction<int[]> upcoming, long bytes) {
    int count = FEW_UPCOMING;
    int[] items = upcoming.apply(count);
    while (items.length == count && count < MOST_UPCOMING && bytes(items) < bytes) {
      count = Math.min(MOST_UPCOMING, 2 * count);
      items = upcoming.apply(count);
    }
    return items;
  }

  /**
   * Takes the answer to a look-up.
   *
   * @param found the status of each item that was looked up; null if there was no answer
   * @param shared true for items that are inserted into the cache, so that one job fetches each
   * @param upcoming returns at most so many items of the order that come next by now
   */
  public Step lookedUp(
      @Nullable List<ItemStatus> found, IntPredicate shared, IntFunction<int[]> upcoming) {
    missing = new ArrayList<>();
    List<Integer> claim = new ArrayList<>();
    for (int i = 0; i < question.size(); i++) {
      if (found == null || found.get(i) != ItemStatus.HIT) {
        (shared.test(question.get(i)) ? claim : missing).add(question.get(i));
      }
    }
    return claim.isEmpty() ? fetch(upcoming) : ask(Kind.CLAIM, claim);
  }

  /** Takes the answer to a claim: this job fetches the items it was granted, others the rest. */
  public Step claimed(@Nullable List<ItemStatus> found, IntFunction<int[]> upcoming) {
    for (int i = 0; found != null && i < question.size(); i++) {
      if (found.get(i) == ItemStatus.YOURS) {
        missing.add(question.get(i));
      }
    }
    return fetch(upcoming);
  }

  /** Fetches what is missing, but nothing that was drawn in the meantime: its batch reads it. */
  private Step fetch(IntFunction<int[]> upcoming) {
    // What was asked came next then, so what is left of it comes first now.
    Set<Integer> coming = new HashSet<>();
    IntStream.of(upcoming.apply(asked.size())).forEach(coming::add);
    return ask(Kind.FETCH, missing.stream().filter(coming::contains).toList());
  }

  private Step ask(Kind kind, List<Integer> items) {
    question = items;
    return items.isEmpty() ? Step.REST : new Step(kind, items);
  }

  /** Returns the items that were looked up and have not been drawn since. */
  public Set<Integer> asked() {
    return Set.copyOf(asked);
  }
}
