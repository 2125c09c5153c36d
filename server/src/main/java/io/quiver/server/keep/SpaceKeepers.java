package io.quiver.server.keep;

import io.quiver.core.keep.Keeper;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.RankingJob;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.RankedFrame;
import io.quiver.server.metrics.KeeperMetric;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.BlobStore.SpaceUsage;
import io.quiver.store.StoreUsage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gives every ordered space its keeper and passes inserts through it.
 *
 * <p>Fixed spaces have no keeper in memory: their quota is the store's own bound, and a read of
 * them costs nothing here. A space that had blobs before its order came is seeded from the store's
 * listing, in the order of writing: so it survives a restart.
 *
 * <p>Where victims lie scattered over segments, the store rewrites what lives beside them. So those
 * spaces together take at most {@link KeeperKind#SCATTERED_FILL} of the bytes that other spaces
 * leave, and the rest is slack: then a server that is full writes at most two bytes for each that
 * is inserted.
 */
public final class SpaceKeepers {
  private final BlobStore store;
  private final Map<SpaceId, KeptSpace> kept = new ConcurrentHashMap<>();
  private final ReentrantLock ordering = new ReentrantLock();
  private final ReentrantLock counting = new ReentrantLock();
  // Guarded by counting: the counts of keepers that are gone.
  private final Map<KeeperKind, Keeper.Report> gone = new EnumMap<>(KeeperKind.class);

  /** Makes keepers for a store; none before the first order. */
  public SpaceKeepers(BlobStore store) {
    this.store = store;
  }

  /** Gives these spaces the keepers and quotas of their orders; a lower quota evicts now. */
  public void order(List<SpaceOrder> orders) {
    ordering.lock();
    try {
      double filled = filledShare(orders);
      Map<SpaceId, KeptSpace> fresh = new HashMap<>();
      for (SpaceOrder order : orders) {
        order(order, filled, fresh);
      }
      seed(fresh);
    } finally {
      ordering.unlock();
    }
  }

  private void order(SpaceOrder order, double filled, Map<SpaceId, KeptSpace> fresh) {
    if (order.keeper() == KeeperKind.FIXED) {
      replace(order.name(), null);
      store.limit(order.name(), order.quotaBytes());
      return;
    }
    long quota =
        order.keeper().scattersVictims()
            ? (long) (order.quotaBytes() * filled)
            : order.quotaBytes();
    @Nullable KeptSpace known = kept.get(order.name());
    if (known != null && known.kind() == order.keeper()) {
      known.follow(order, quota);
      return;
    }
    fresh.put(order.name(), new KeptSpace(store, order.name(), order.keeper(), quota));
  }

  /** Returns the share of their quotas that spaces with scattered victims can have. */
  private double filledShare(List<SpaceOrder> orders) {
    Map<SpaceId, Long> scattered = new HashMap<>();
    orders.stream()
        .filter(order -> order.keeper().scattersVictims())
        .forEach(order -> scattered.put(order.name(), order.quotaBytes()));
    double wanted = scattered.values().stream().mapToDouble(bytes -> bytes).sum();
    long others =
        store.spaces().stream()
            .filter(usage -> !scattered.containsKey(usage.space()))
            .mapToLong(SpaceUsage::chargedBytes)
            .sum();
    StoreUsage usage = store.usage();
    long forInserts = usage.capacityBytes() - usage.reservedBytes();
    double most = KeeperKind.SCATTERED_FILL * Math.max(0, forInserts - others);
    return wanted <= most ? 1 : most / wanted;
  }

  private void seed(Map<SpaceId, KeptSpace> fresh) {
    if (fresh.isEmpty()) {
      return;
    }
    // Whoever inserts from here on waits until its space is seeded.
    fresh.values().forEach(space -> space.lock().lock());
    try {
      for (Map.Entry<SpaceId, KeptSpace> each : fresh.entrySet()) {
        replace(each.getKey(), each.getValue());
        store.limit(each.getKey(), SpaceOrder.UNBOUNDED);
        store.listen(each.getKey(), each.getValue()::read);
      }
      List<Runnable> blobs = new ArrayList<>();
      store.list(
          fresh.keySet(),
          (space, key, bytes) ->
              blobs.add(() -> Objects.requireNonNull(fresh.get(space)).seed(key, bytes)));
      blobs.forEach(Runnable::run);
      fresh.values().forEach(KeptSpace::begin);
    } finally {
      fresh.values().forEach(space -> space.lock().unlock());
    }
  }

  /** Notes that a job begins to insert into these spaces; ranked ones take its position. */
  public void hear(RankingJob job, Set<SpaceId> spaces) {
    kept(spaces).forEach(space -> space.hear(job));
  }

  /**
   * Inserts a blob into a space, if the space's keeper admits it.
   *
   * @param offer the blob, with its priority in a ranked space
   * @param job gave the priority
   */
  public PutOutcome put(Offer offer, ByteBuffer content, RankingJob job) {
    @Nullable KeptSpace keeper = kept.get(offer.space());
    if (keeper != null) {
      return keeper.put(offer.hash(), content, offer.priority(), job);
    }
    PutOutcome outcome = store.put(offer.hash(), offer.space(), content);
    return seedLate(outcome, offer.space(), offer.hash().fingerprint(), content.remaining());
  }

  /** Binds a name in a space, if the space's keeper admits it. */
  public PutOutcome bind(NameBinding binding, SpaceId space, RankingJob job) {
    @Nullable KeptSpace keeper = kept.get(space);
    if (keeper != null) {
      return keeper.bind(binding, job);
    }
    long key = binding.name().key().fingerprint();
    return seedLate(store.bind(binding, space), space, key, BlobStore.NAME_BYTES);
  }

  /** Tells the keeper that a space got while something was written to it. */
  private PutOutcome seedLate(PutOutcome outcome, SpaceId space, long key, long bytes) {
    @Nullable KeptSpace late = kept.get(space);
    if (late != null && (outcome == PutOutcome.STORED || outcome == PutOutcome.ALREADY_HERE)) {
      late.seed(key, bytes);
    }
    return outcome;
  }

  /** Changes the priorities that a job gave to blobs of a space; empty if it is not ranked. */
  public Optional<RankedFrame> rank(RankFrame frame, RankingJob job) {
    @Nullable KeptSpace space = kept.get(frame.space());
    return space == null ? Optional.empty() : space.rank(frame.rows(), job);
  }

  /**
   * Returns the lowest priority that full ranked spaces among these keep, in a job's scale; 0 if
   * there is none.
   */
  public long lowest(RankingJob job, Set<SpaceId> spaces) {
    return kept(spaces)
        .mapToLong(space -> space.lowest(job))
        .filter(each -> each > 0)
        .min()
        .orElse(0);
  }

  private Stream<KeptSpace> kept(Set<SpaceId> spaces) {
    return spaces.stream().map(kept::get).filter(Objects::nonNull);
  }

  /** Drops spaces with all their blobs; one that stays ordered begins anew, empty. */
  public long drop(Set<SpaceId> spaces, boolean stayOrdered) {
    ordering.lock();
    try {
      Map<SpaceId, KeptSpace> again = new HashMap<>();
      for (SpaceId space : spaces) {
        @Nullable KeptSpace before = replace(space, null);
        if (before != null && stayOrdered) {
          long quota = before.report().quotaBytes();
          again.put(space, new KeptSpace(store, space, before.kind(), quota));
        }
      }
      long freed = store.drop(spaces);
      seed(again);
      return freed;
    } finally {
      ordering.unlock();
    }
  }

  /** Returns the spaces that have a keeper in memory. */
  public Set<SpaceId> spaces() {
    return Set.copyOf(kept.keySet());
  }

  /**
   * Returns the reports of all keepers; waits for none that is being used. Spaces that are being
   * seeded are not among them: what they had already is no miss.
   */
  public KeeperMetric.Reports reports() {
    counting.lock();
    try {
      Map<KeeperKind, Keeper.Report> kinds = new HashMap<>(gone);
      List<KeeperMetric.SpaceReport> spaces = new ArrayList<>();
      kept.forEach((space, keeper) -> {
        Keeper.Report report = keeper.report();
        kinds.merge(keeper.kind(), report, KeeperMetric::sum);
        if (keeper.hasBegun()) {
          spaces.add(new KeeperMetric.SpaceReport(space, keeper.kind(), report));
        }
      });
      return new KeeperMetric.Reports(kinds, spaces);
    } finally {
      counting.unlock();
    }
  }

  /** Replaces the keeper of a space and remembers its counts, because counters never go back. */
  private @Nullable KeptSpace replace(SpaceId space, @Nullable KeptSpace next) {
    counting.lock();
    try {
      @Nullable KeptSpace before = next == null ? kept.remove(space) : kept.put(space, next);
      if (before != null) {
        gone.merge(before.kind(), KeeperMetric.countsOnly(before.report()), KeeperMetric::sum);
      }
      return before;
    } finally {
      counting.unlock();
    }
  }
}
