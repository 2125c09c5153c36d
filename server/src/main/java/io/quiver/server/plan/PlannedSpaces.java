package io.quiver.server.plan;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.space.SpaceId;
import io.quiver.server.keep.SpaceKeepers;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.SpaceUsage;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Moves a store's spaces toward the latest plan, and knows which spaces inserts may go to.
 *
 * <p>Under a prefix that has a plan, a space exists only while the plan lists it: an insert that
 * comes late does not bring a dropped space back. Nothing is remembered on disk; after a restart
 * every space is taken until the first plan comes.
 *
 * <p>A plan counts before its drops begin. So an insert that was let in by the plan before asks
 * again when it is done, and takes its blob back if the space is not planned any more.
 */
public final class PlannedSpaces {
  private static final int MAX_PREFIXES = 64;
  private static final int MAX_KEPT = 1_024;

  private final BlobStore store;
  private final SpaceKeepers keepers;
  private final ReentrantLock applying = new ReentrantLock();
  private final ReentrantLock changing = new ReentrantLock();
  private final Condition changed = changing.newCondition();
  private volatile Map<String, Scope> scopes = Map.of();

  /** The orders of the latest plan for one prefix. */
  private record Scope(
      String prefix, long version, boolean followed, boolean keepOthers, Set<SpaceId> spaces) {
    boolean covers(SpaceId space) {
      return space.name().startsWith(prefix);
    }

    boolean takes(SpaceId space) {
      return keepOthers || spaces.contains(space);
    }

    boolean overlaps(String other) {
      return !prefix.equals(other) && (prefix.startsWith(other) || other.startsWith(prefix));
    }
  }

  /** Makes spaces that no plan decides about yet. */
  public PlannedSpaces(BlobStore store, SpaceKeepers keepers) {
    this.store = store;
    this.keepers = keepers;
  }

  /** Returns true if blobs may be inserted into this space. */
  public boolean takes(SpaceId space) {
    for (Scope scope : scopes.values()) {
      if (scope.covers(space)) {
        return scope.takes(space);
      }
    }
    return true;
  }

  /** Returns true if a plan lists this space. */
  public boolean orders(SpaceId space) {
    for (Scope scope : scopes.values()) {
      if (scope.covers(space)) {
        return scope.spaces.contains(space);
      }
    }
    return false;
  }

  /**
   * Waits until all of these spaces take blobs, or the plan that a sender names has been applied:
   * jobs often hear of a plan a moment before servers do. Costs the thread of the sender's
   * connection, no other.
   *
   * @param version the plan the sender acts upon
   * @param longest after that it is judged by the plan there is
   */
  public void await(Collection<SpaceId> spaces, long version, Duration longest)
      throws InterruptedException {
    if (isKnown(spaces, version)) {
      return;
    }
    long left = longest.toNanos();
    changing.lockInterruptibly();
    try {
      while (left > 0 && !isKnown(spaces, version)) {
        left = changed.awaitNanos(left);
      }
    } finally {
      changing.unlock();
    }
  }

  private boolean isKnown(Collection<SpaceId> spaces, long version) {
    return spaces.stream().allMatch(space -> takes(space) || versionFor(space) >= version);
  }

  private long versionFor(SpaceId space) {
    for (Scope scope : scopes.values()) {
      if (scope.covers(space)) {
        return scope.version;
      }
    }
    return Long.MAX_VALUE;
  }

  /**
   * Makes the plan the one that counts and moves the store toward it, which may take long.
   *
   * <p>A plan of the manager that the server follows counts before any that others send, whatever
   * their versions: a stranger's number must not shut the manager out.
   *
   * @param followed true for a plan of that manager
   * @throws IllegalArgumentException when its prefix overlaps that of another plan, or there are
   *     too many
   */
  public AppliedSpaces apply(SpacePlan plan, boolean followed) {
    applying.lock();
    try {
      Scope held = scopes.get(plan.prefix());
      boolean outranks = held != null && followed && !held.followed;
      long version = held == null || outranks ? 0 : held.version;
      boolean outranked = held != null && held.followed && !followed;
      if (outranked || (plan.version() != 0 && plan.version() < version)) {
        return new AppliedSpaces(false, version, List.of(), 0);
      }
      requireFewKeepers(plan);
      Scope scope = scope(plan, Math.max(version, plan.version()), followed);
      publish(scope);
      // What goes, goes first: whoever gets more bytes needs them.
      AppliedSpaces applied = dropOthers(scope);
      keepers.order(plan.spaces());
      return applied;
    } finally {
      applying.unlock();
    }
  }

  /** Refuses a plan whose keepers would fill the heap: each remembers thousands of reads. */
  private void requireFewKeepers(SpacePlan plan) {
    long kept =
        plan.spaces().stream().filter(each -> each.keeper() != KeeperKind.FIXED).count()
            + keepers.spaces().stream()
                .filter(space -> !space.name().startsWith(plan.prefix()))
                .count();
    if (kept > MAX_KEPT) {
      throw new IllegalArgumentException(
          kept + " spaces with another keeper than fixed; at most " + MAX_KEPT + " are taken");
    }
  }

  private static Scope scope(SpacePlan plan, long version, boolean followed) {
    Set<SpaceId> spaces = new HashSet<>();
    plan.spaces().forEach(each -> spaces.add(each.name()));
    return new Scope(plan.prefix(), version, followed, plan.keepOthers(), Set.copyOf(spaces));
  }

  private void publish(Scope scope) {
    for (Scope other : scopes.values()) {
      if (other.overlaps(scope.prefix)) {
        throw new IllegalArgumentException(
            "prefix \"" + scope.prefix + "\" overlaps \"" + other.prefix + "\" of another plan");
      }
    }
    Map<String, Scope> next = new TreeMap<>(scopes);
    next.put(scope.prefix, scope);
    if (next.size() > MAX_PREFIXES) {
      throw new IllegalArgumentException(
          "more than " + MAX_PREFIXES + " prefixes with plans; restart the server to forget them");
    }
    int ordered = next.values().stream().mapToInt(each -> each.spaces.size()).sum();
    if (ordered > SpacePlan.MAX_SPACES) {
      throw new IllegalArgumentException(
          ordered + " spaces in all plans; at most " + SpacePlan.MAX_SPACES + " are taken");
    }
    scopes = Map.copyOf(next);
    changing.lock();
    try {
      changed.signalAll();
    } finally {
      changing.unlock();
    }
  }

  private AppliedSpaces dropOthers(Scope scope) {
    // A kept space without blobs is unknown to the store.
    List<SpaceId> dropped =
        Stream.concat(keepers.spaces().stream(), store.spaces().stream().map(SpaceUsage::space))
            .filter(space -> scope.covers(space) && !scope.takes(space))
            .distinct()
            .sorted()
            .toList();
    long freed = dropped.isEmpty() ? 0 : keepers.drop(Set.copyOf(dropped), false);
    return new AppliedSpaces(true, scope.version, dropped, freed);
  }
}
