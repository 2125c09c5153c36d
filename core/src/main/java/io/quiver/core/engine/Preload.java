package io.quiver.core.engine;

import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
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
    LOOK,
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
  private static final class Load {
    private final ChunkGeneration turn;
    private final ChunkProgress progress;
    private long movedAt;
    private long lookedAt;

    Load(ChunkGeneration turn, ChunkProgress progress, long now) {
      this.turn = turn;
      this.progress = progress;
      this.movedAt = now;
      this.lookedAt = now;
    }

    boolean isSeen(boolean claims) {
      return !progress.hasUnseen() && !(claims && progress.hasMissing());
    }

    /** Returns how long to wait before it is looked for again: less for the last few members. */
    long lookAgainNanos() {
      return ReadRules.LOOK_AGAIN.toNanos()
          + progress.elsewhere() * ReadRules.LOOK_AGAIN_EACH.toNanos();
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
    Set<ChunkGeneration> held = new HashSet<>();
    plan.held().forEach(each -> held.add(turn(each)));
    loads.keySet().retainAll(held);
    loaded.retainAll(held);
    for (ChunkEntry each : plan.held()) {
      ChunkGeneration turn = turn(each);
      boolean loading = each.state() == ChunkState.LOADING && !loaded.contains(turn);
      if (loading || moved) {
        loads.computeIfAbsent(
            turn, any -> new Load(turn, start.of(plan.chunks(), each.chunk()), now));
      }
    }
  }

  private static ChunkGeneration turn(ChunkEntry held) {
    return new ChunkGeneration(held.chunk(), held.generation());
  }

  /** Returns the chunks found whole that the plan still has. */
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
    for (Load load : new ArrayList<>(loads.values())) {
      if (noteWhole(load)) {
        continue;
      }
      Step found = advance(load, demandWaits, now);
      if (found != Step.PAUSE) {
        return found;
      }
      if (!load.isSeen(throttle.claims())) {
        // Others wait behind the first chunk that has something left to claim.
        pause = Math.min(pause, STUCK);
        break;
      }
    }
    return say(Step.PAUSE, NOTHING);
  }

  private boolean noteWhole(Load load) {
    if (load.progress.isWhole()) {
      loads.remove(load.turn);
      loaded.add(load.turn);
      news = true;
      return true;
    }
    return false;
  }

  private Step advance(Load load, boolean demandWaits, long now) {
    current = load;
    boolean claims = throttle.claims();
    boolean awaits = load.isSeen(claims) && load.progress.elsewhere() > 0;
    if (claims && awaits && now - load.movedAt > STUCK) {
      load.progress.reclaim();
      load.movedAt = now;
    }
    if (!load.isSeen(claims)) {
      int most = throttle.mayClaim(demandWaits);
      if (claims && most == 0) {
        return Step.PAUSE;
      }
      again = false;
      return claims && load.progress.hasMissing()
          ? say(Step.CLAIM, load.progress.takeMissing(most))
          : say(Step.LOOK, load.progress.unseen(ReadRules.PRELOAD_LOOK));
    }
    if (load.progress.elsewhere() == 0) {
      pause = Math.min(pause, STUCK);
      return Step.PAUSE;
    }
    long due = load.lookedAt + load.lookAgainNanos() - now;
    if (due > 0) {
      pause = Math.min(pause, due);
      return Step.PAUSE;
    }
    again = true;
    load.lookedAt = now;
    return say(Step.LOOK, load.progress.takeElsewhere(ReadRules.PRELOAD_LOOK));
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
    return current.turn;
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
  public int[] answered(@Nullable List<Presence> answer, boolean failing, long now) {
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
      Presence presence = answer == null ? Presence.PENDING : answer.get(i);
      if (presence == Presence.HIT) {
        hits++;
      } else if (step == Step.CLAIM && isMine(presence, failing)) {
        load.progress.fetching(item);
        mine[count++] = item;
      } else {
        noteAbsent(load, item, answer == null);
      }
    }
    if (step == Step.LOOK && !again && answer != null) {
      load.progress.seen(question.length);
    }
    if (count > 0 || hits > 0 || (!again && step == Step.LOOK)) {
      load.movedAt = now;
    }
    throttle.began(count);
    return Arrays.copyOf(mine, count);
  }

  private static boolean isMine(Presence presence, boolean failing) {
    return presence == Presence.YOURS || (presence == Presence.MISS && !failing);
  }

  /** Sorts a member that is not there; one that was not looked for stays unseen. */
  private void noteAbsent(Load load, int item, boolean unanswered) {
    boolean first = step == Step.LOOK && !again;
    if (first && !unanswered && throttle.claims()) {
      load.progress.missing(item);
    } else if (!first || !unanswered) {
      load.progress.leave(item);
    }
  }

  /** Notes how the fetch of an item of a chunk ended. */
  public void ended(ChunkGeneration turn, int item, ChunkProgress.End end, long now) {
    throttle.ended(1);
    Load load = loads.get(turn);
    if (load != null) {
      load.progress.ended(item, end);
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
