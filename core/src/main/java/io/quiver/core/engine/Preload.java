package io.quiver.core.engine;

import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings in the chunks that the plan says are loading, together with all other jobs of the data
 * set. Each job looks through a chunk from a starting point of its own, claims what is missing and
 * fetches that; a bound on what one job claims leaves the rest to the others. When one chunk has
 * nothing left to claim the job goes on with the next, so that the store is never idle while
 * something is to be loaded. A chunk is reported as soon as all of it is known to be there.
 *
 * <p>The driver calls {@link #next}, does what the returned {@link Step} says and calls {@link
 * #answered}, until there is a pause; it tells how fetches end by {@link #ended}.
 */
public final class Preload {
  /** Tells the driver its next step. */
  public enum Step {
    /** Look {@link #question} up, then call {@link #answered}. */
    LOOKUP,
    /** Look {@link #question} up and claim what is missing, then call {@link #answered}. */
    CLAIM,
    /** Do nothing until a plan comes, a fetch ends or {@link #pauseNanos} have passed. */
    PAUSE
  }

  private static final int[] NOTHING = new int[0];
  private static final long NAP = ReadRules.PRELOAD_NAP.toNanos();
  private static final long STUCK = ReadRules.PRELOAD_STUCK.toNanos();

  private final PreloadThrottle throttle;
  private final ChunkProgress.Start start;
  private final Map<ChunkGeneration, Load> loads = new LinkedHashMap<>();
  private final Set<ChunkGeneration> loaded = new LinkedHashSet<>();
  private List<String> servers = List.of();
  private boolean news;
  private long troubledUntil = Long.MIN_VALUE;
  private @Nullable Load current;
  private boolean again;
  private Step step = Step.PAUSE;
  private int[] question = NOTHING;
  private long pause = NAP;

  /** Holds a chunk on its way and when something last happened to it. */
  private final class Load {
    private final ChunkGeneration generation;
    private final int chunks;
    private @Nullable ChunkProgress progress;
    private long movedAt;
    private long askedAt;

    Load(ChunkGeneration generation, int chunks, long now) {
      this.generation = generation;
      this.chunks = chunks;
      this.movedAt = now;
      this.askedAt = now;
    }

    /** Returns the progress, which is made when it is needed: it names all members of the chunk. */
    ChunkProgress progress() {
      ChunkProgress known = progress;
      if (known == null) {
        known = start.of(chunks, generation.chunk());
        progress = known;
      }
      return known;
    }

    boolean isSeen() {
      return !progress().hasUnseen() && !(throttle.claims() && progress().hasMissing());
    }

    /** Returns how long to wait before it is asked for again: less for the last few members. */
    long askAgainNanos() {
      return ReadRules.LOOK_AGAIN.toNanos()
          + progress().elsewhere() * ReadRules.LOOK_AGAIN_EACH.toNanos();
    }
  }

  /** Makes a preload that has seen no plan. */
  public Preload(PreloadThrottle throttle, ChunkProgress.Start start) {
    this.throttle = throttle;
    this.start = start;
  }

  /**
   * Takes up what the plan has begun to load and forgets what it has not any more. When servers
   * have come or gone, what they had or should have is looked for in all held chunks (Quiver,
   * §4.8).
   */
  public void planned(@Nullable DatasetPlan plan, List<String> members, long now) {
    boolean moved = !servers.isEmpty() && !servers.equals(members);
    servers = List.copyOf(members);
    if (plan == null) {
      loads.clear();
      loaded.clear();
      return;
    }
    Set<ChunkGeneration> planned = new HashSet<>();
    Set<ChunkGeneration> loading = new HashSet<>();
    for (ChunkEntry each : plan.held()) {
      planned.add(generation(each));
      if (each.state() == ChunkState.LOADING) {
        loading.add(generation(each));
      }
    }
    loads.keySet().retainAll(planned);
    loaded.retainAll(loading);
    // Batches read pinned chunks from the front of the list: what they bring in is not looked for.
    for (ChunkEntry each : plan.held().reversed()) {
      if (each.role() == ChunkRole.PINNED) {
        begin(plan, each, moved, now);
      }
    }
    for (ChunkEntry each : plan.held()) {
      if (each.role() == ChunkRole.ROTATING) {
        begin(plan, each, moved, now);
      }
    }
  }

  private void begin(DatasetPlan plan, ChunkEntry each, boolean moved, long now) {
    ChunkGeneration generation = generation(each);
    boolean loading = each.state() == ChunkState.LOADING && !loaded.contains(generation);
    if (loading || moved) {
      loads.computeIfAbsent(generation, any -> new Load(generation, plan.chunks(), now));
    }
  }

  private static ChunkGeneration generation(ChunkEntry entry) {
    return new ChunkGeneration(entry.chunk(), entry.generation());
  }

  /** Returns the chunks found whole of which the plan does not know it yet. */
  public List<ChunkGeneration> loaded() {
    return List.copyOf(loaded);
  }

  /** Returns true once after a chunk was found whole: the manager should hear of it. */
  public boolean takeNews() {
    boolean any = news;
    news = false;
    return any;
  }

  /**
   * Decides what to do now.
   *
   * @param demandWaits whether batches wait for the store, so that they go first
   */
  public Step next(boolean demandWaits, long now) {
    pause = NAP;
    if (now < troubledUntil) {
      pause = troubledUntil - now;
      return say(Step.PAUSE, NOTHING);
    }
    for (Iterator<Load> each = loads.values().iterator(); each.hasNext(); ) {
      Load load = each.next();
      if (load.progress().isWhole()) {
        each.remove();
        loaded.add(load.generation);
        news = true;
        continue;
      }
      Step found = advance(load, demandWaits, now);
      if (found != Step.PAUSE) {
        return found;
      }
      if (!load.isSeen()) {
        // Others wait behind the first chunk that has something left to claim.
        pause = Math.min(pause, STUCK);
        break;
      }
    }
    return say(Step.PAUSE, NOTHING);
  }

  private Step advance(Load load, boolean demandWaits, long now) {
    current = load;
    boolean claims = throttle.claims();
    ChunkProgress progress = load.progress();
    if (claims && load.isSeen() && progress.elsewhere() > 0 && now - load.movedAt > STUCK) {
      progress.reclaim();
      load.movedAt = now;
    }
    if (!load.isSeen()) {
      int most = throttle.mayClaim(demandWaits);
      if (claims && most == 0) {
        return Step.PAUSE;
      }
      again = false;
      return claims && progress.hasMissing()
          ? say(Step.CLAIM, progress.takeMissing(most))
          : say(Step.LOOKUP, progress.unseen(ReadRules.PRELOAD_LOOK));
    }
    if (progress.elsewhere() == 0) {
      pause = Math.min(pause, STUCK);
      return Step.PAUSE;
    }
    long due = load.askedAt + load.askAgainNanos() - now;
    if (due > 0) {
      pause = Math.min(pause, due);
      return Step.PAUSE;
    }
    again = true;
    load.askedAt = now;
    return say(Step.LOOKUP, progress.takeElsewhere(ReadRules.PRELOAD_LOOK));
  }

  private Step say(Step next, int[] items) {
    step = next;
    question = items;
    return next;
  }

  /** Returns the items to look up. */
  public int[] question() {
    return question;
  }

  /** Returns the chunk that the question is about. */
  public ChunkGeneration chunk() {
    if (current == null) {
      throw new IllegalStateException("nothing was asked");
    }
    return current.generation;
  }

  /** Returns how long to pause at most. */
  public long pauseNanos() {
    return pause;
  }

  /**
   * Takes the answer to the question.
   *
   * @param answer what the cache said of each item; null when there is nobody to ask
   * @param failing whether some server did not answer
   * @return the items that this job is to fetch into the chunk's space
   */
  public int[] answered(@Nullable List<ItemStatus> answer, boolean failing, long now) {
    Load load = current;
    if (load == null || step == Step.PAUSE) {
      throw new IllegalStateException("nothing was asked");
    }
    if (answer == null || failing) {
      troubledUntil = now + ReadRules.PRELOAD_TROUBLE.toNanos();
    }
    int[] mine = new int[step == Step.CLAIM ? question.length : 0];
    int count = 0;
    int hits = 0;
    for (int i = 0; i < question.length; i++) {
      int item = question[i];
      ItemStatus status = answer == null ? ItemStatus.PENDING : answer.get(i);
      if (status == ItemStatus.HIT) {
        hits++;
      } else if (step == Step.CLAIM && isMine(status, failing)) {
        load.progress().fetching(item);
        mine[count++] = item;
      } else {
        noteAbsent(load, item, answer == null);
      }
    }
    if (step == Step.LOOKUP && !again && answer != null) {
      load.progress().seen(question.length);
    }
    if (count > 0 || hits > 0 || (!again && step == Step.LOOKUP)) {
      load.movedAt = now;
    }
    throttle.began(count);
    return Arrays.copyOf(mine, count);
  }

  private static boolean isMine(ItemStatus status, boolean failing) {
    return status == ItemStatus.YOURS || (status == ItemStatus.MISS && !failing);
  }

  /** Sorts a member that is not there; one that was not looked for stays unseen. */
  private void noteAbsent(Load load, int item, boolean unanswered) {
    boolean first = step == Step.LOOKUP && !again;
    if (first && !unanswered && throttle.claims()) {
      load.progress().missing(item);
    } else if (!first || !unanswered) {
      load.progress().leave(item);
    }
  }

  /** Notes how the fetch of an item of a chunk ended. */
  public void ended(ChunkGeneration chunk, int item, ChunkProgress.End end, long now) {
    throttle.ended(1);
    Load load = loads.get(chunk);
    if (load != null) {
      load.progress().ended(item, end);
      if (end != ChunkProgress.End.FAILED) {
        load.movedAt = now;
      }
    }
  }

  /** Returns how many items are claimed and not in the cache yet. */
  public int underWay() {
    return throttle.underWay();
  }

  /** Returns true if some chunk is on its way. */
  public boolean isLoading() {
    return !loads.isEmpty();
  }
}
