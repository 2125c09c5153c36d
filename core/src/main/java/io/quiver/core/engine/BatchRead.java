package io.quiver.core.engine;

import io.quiver.core.plan.probe.SupplyMode;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides how the items of one batch are read. Any of the candidates are asked for in one question.
 * What is then lacking is read from wherever it can be had: items with a space are shared with the
 * other jobs, because the cache says who fetches each (Quiver, §4.4), and all others come from the
 * store. Who is told to wait asks again until the item is there or the job's {@link ClaimPatience}
 * has run out; then it reads and inserts the item as if nobody had claimed it.
 *
 * <p>The driver calls {@link #begin}, does what the returned {@link Step} says, tells the outcome
 * by {@link #answered} or {@link #woken}, and so on until {@link Step#DELIVER}. The batch is whole
 * when everything that {@link Driver#fetch} and {@link Driver#join} promised has arrived as well.
 */
public final class BatchRead {
  /** The space of an item that is not inserted anywhere. */
  public static final int NO_SPACE = -1;

  private static final int[] NOTHING = new int[0];

  /** Tells the driver its next step. */
  public enum Step {
    /** Ask for {@link #question}, then call {@link #answered}. */
    ASK,
    /** Let {@link #pauseNanos} pass, then call {@link #woken}. */
    PAUSE,
    /** Deliver the batch as soon as everything fetched is here. */
    DELIVER
  }

  /** Names how the items that no candidate stands for are read. */
  public enum Supply {
    /** Reads the store, without a question to the cache. */
    STORE,
    /** Reads what the cache has from it, and the rest from the store and into the cache. */
    READ_THROUGH,
    /** Reads items with a space together with all other jobs, and the rest from the store. */
    SHARED
  }

  /** Carries out what needs no answer, and knows the reads of this process. */
  public interface Driver {
    /**
     * Takes the bytes of a hit.
     *
     * @param index where the item stands in the question
     * @param cooperative whether another job fetched it while this batch waited
     */
    void hit(int place, int item, int index, boolean cooperative);

    /** Waits for an item that this process is reading already; returns false if it is not. */
    boolean join(int place, int item);

    /** Reads an item from the store, and inserts it unless its space is {@link #NO_SPACE}. */
    void fetch(int place, int item, int space);

    /** Returns true if this process inserted the item since: a claim granted then is outdated. */
    boolean insertedSince(int item, long nanos);

    /** Returns how long this job waits at this time for what other jobs have claimed. */
    long patienceNanos(long now);

    /** Notes that the wait for an item which another job has claimed ended with it or in vain. */
    void waited(boolean delivered, long began, long now);
  }

  private final int[] candidates;
  private final int want;
  private final UnaryOperator<int[]> missing;
  private final Supply supply;
  private final IntUnaryOperator spaces;
  private final Driver driver;
  private final int[] items;
  private int found;
  private boolean candidatesAsked;
  // Places of items that are still to be asked for.
  private int[] open = NOTHING;
  private int[] question = NOTHING;
  private long askedAt;
  private long began;
  private long pause;
  private boolean waited;
  private int cached;
  private int cooperative;
  private int substituted;

  /**
   * Makes a batch of which nothing has been read.
   *
   * @param candidates items of which any {@code want} will do, the first ones best
   * @param size how many items the batch has
   * @param missing names the items to read when only these candidates were found
   * @param spaces the space of an item that is read, or {@link #NO_SPACE}
   */
  public BatchRead(
      int[] candidates,
      int want,
      int size,
      UnaryOperator<int[]> missing,
      Supply supply,
      IntUnaryOperator spaces,
      Driver driver) {
    this.candidates = candidates;
    this.want = want;
    this.missing = missing;
    this.supply = supply;
    this.spaces = spaces;
    this.driver = driver;
    this.items = new int[size];
    this.pause = ReadRules.FIRST_PENDING_PAUSE.toNanos();
  }

  /**
   * Begins to read.
   *
   * @param probed whether nothing is asked for, so that the job learns how fast the store is
   */
  public Step begin(boolean probed, long now) {
    if (want == 0 || probed) {
      return readMissing(probed ? Supply.STORE : supply, now);
    }
    question = candidates;
    askedAt = now;
    return Step.ASK;
  }

  /** Returns the items to ask for. */
  public int[] question() {
    return question;
  }

  /** Returns how many items of the question are needed. */
  public int wanted() {
    return candidatesAsked ? question.length : want;
  }

  /** Returns true if items of the question that are missing are to be claimed. */
  public boolean claims() {
    return candidatesAsked && supply == Supply.SHARED;
  }

  /** Returns how long to pause. */
  public long pauseNanos() {
    return pause;
  }

  /**
   * Takes the answer to the question.
   *
   * @param answer what the cache said of each item; null when there is no cache to ask
   * @param failing whether some server did not answer, so that inserts are in vain
   */
  public Step answered(@Nullable List<ItemStatus> answer, boolean failing, long now) {
    if (!candidatesAsked) {
      takeCandidates(answer);
      return readMissing(supply, now);
    }
    int[] asked = open;
    int[] later = new int[asked.length];
    int laterCount = 0;
    for (int i = 0; i < asked.length; i++) {
      if (!settle(
          i,
          asked[i],
          answer == null ? ItemStatus.MISS : answer.get(i),
          answer == null || failing,
          now)) {
        later[laterCount++] = asked[i];
      }
    }
    open = Arrays.copyOf(later, laterCount);
    if (laterCount == 0) {
      return Step.DELIVER;
    }
    if (now - began > driver.patienceNanos(now)) {
      driver.waited(false, began, now);
      fetchOpen();
      return Step.DELIVER;
    }
    if (waited) {
      pause = Math.min(ReadRules.LONGEST_PENDING_PAUSE.toNanos(), 2 * pause);
    }
    waited = true;
    return Step.PAUSE;
  }

  /** Decides about one item; returns false if it has to be asked for again. */
  private boolean settle(int index, int place, ItemStatus status, boolean failing, long now) {
    int item = items[place];
    int space = spaces.applyAsInt(item);
    return switch (status) {
      case HIT -> {
        driver.hit(place, item, index, waited);
        if (waited) {
          driver.waited(true, began, now);
        }
        cached += waited ? 0 : 1;
        cooperative += waited ? 1 : 0;
        yield true;
      }
      case MISS -> {
        driver.fetch(place, item, failing ? NO_SPACE : space);
        yield true;
      }
      case YOURS -> {
        boolean outdated = driver.insertedSince(item, askedAt);
        if (!outdated) {
          driver.fetch(place, item, space);
        }
        yield !outdated;
      }
      case PENDING -> false;
    };
  }

  private void takeCandidates(@Nullable List<ItemStatus> answer) {
    for (int i = 0; answer != null && i < candidates.length && found < want; i++) {
      if (answer.get(i) == ItemStatus.HIT) {
        driver.hit(found, candidates[i], i, false);
        substituted += i >= want ? 1 : 0;
        items[found++] = candidates[i];
      }
    }
    cached = found;
  }

  private Step readMissing(Supply how, long now) {
    candidatesAsked = true;
    int[] rest = missing.apply(Arrays.copyOf(items, found));
    System.arraycopy(rest, 0, items, found, rest.length);
    int[] asked = new int[rest.length];
    int count = 0;
    for (int place = found; place < items.length; place++) {
      int space = spaces.applyAsInt(items[place]);
      if (how == Supply.STORE || space == NO_SPACE) {
        driver.fetch(place, items[place], space);
      } else {
        asked[count++] = place;
      }
    }
    began = now;
    open = Arrays.copyOf(asked, count);
    return ask(now);
  }

  private void fetchOpen() {
    for (int place : open) {
      driver.fetch(place, items[place], spaces.applyAsInt(items[place]));
    }
    open = NOTHING;
  }

  /** Goes on after a pause. */
  public Step woken(long now) {
    return ask(now);
  }

  /** Asks for what is open, but for items that this process is reading anyway. */
  private Step ask(long now) {
    int[] asked = new int[open.length];
    int count = 0;
    for (int place : open) {
      if (supply != Supply.SHARED || !driver.join(place, items[place])) {
        asked[count++] = place;
      }
    }
    open = Arrays.copyOf(asked, count);
    question = new int[count];
    Arrays.setAll(question, i -> items[open[i]]);
    askedAt = now;
    return count == 0 ? Step.DELIVER : Step.ASK;
  }

  /** Returns the items of the batch in the order of their places; known at the end. */
  public int[] items() {
    return items;
  }

  /** Returns how many items were taken in place of preferred ones. */
  public int substituted() {
    return substituted;
  }

  /**
   * Returns the supply mode that the time of this batch tells about.
   *
   * @param ring whether chunks of the data set rotate and the batch was not a probe's
   */
  public SupplyMode supplyMode(boolean ring) {
    return SupplyMode.of(items.length, items.length - cached - cooperative, cached, ring);
  }
}
