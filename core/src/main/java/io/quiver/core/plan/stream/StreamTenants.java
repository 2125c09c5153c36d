package io.quiver.core.plan.stream;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.plan.allocate.AllocationMoves;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.Demand;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.Tenant;
import io.quiver.core.plan.allocate.UnreadCurve;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The access streams that own quotas, as tenants of the cache. Each recognised stream states a
 * demand by its pattern: random ones that of uniform reads, skewed ones that of their ghosts,
 * sequential ones none, unless a second reader follows the first closely.
 */
public final class StreamTenants {
  /** Most streams with a space of their own; all others share one. */
  public static final int MOST = 256;

  private static final int STEPS = 32;

  /** A stream that reads has at least this part of the capacity: without it no ghost is seen. */
  private static final int FLOOR_PART = 512;

  /** Quotas are multiples of this part of the capacity, so that plans stay. */
  private static final int QUOTA_PART = 1024;

  /** A pattern that differs from the plan's counts once doors have told it for this long. */
  private static final long STEADY_NANOS = 3_000_000_000L;

  /** Doors read the store in blocks of 4 MiB unless they are told otherwise. */
  private static final long BLOCK_BYTES = 4L << 20;

  /** What lies between two readers of which one follows, and as much again in reserve. */
  private static final long FOLLOW_RESERVE = 2;

  private final List<Entry> entries = new ArrayList<>();
  private final SortedMap<String, StreamOrder> before;
  private final Function<SpaceId, KeeperCounts> counts;
  private final CachePreferences preferences;

  /** A stream that is read, with what is decided about it before bytes are divided. */
  private record Entry(ObservedStream stream, StreamOrder order, boolean quiet, boolean lapsed) {
    StreamSummary summary() {
      return stream.summary();
    }
  }

  /**
   * Goes on from the orders of the plan before.
   *
   * @param seen the streams that doors report
   * @param counts the counts of a space's keepers on all servers together
   * @param held the bytes that servers hold of each stream, also from before this manager's time
   * @param now the time, in nanoseconds of a steady clock
   */
  public StreamTenants(
      SortedMap<String, StreamOrder> before,
      List<ObservedStream> seen,
      Function<SpaceId, KeeperCounts> counts,
      Map<String, Long> held,
      CachePreferences preferences,
      long now) {
    this.before = new TreeMap<>(before);
    held.forEach((key, bytes) -> this.before.putIfAbsent(key, StreamOrder.found(key, bytes)));
    this.counts = counts;
    this.preferences = preferences;
    seen.stream()
        .filter(each -> each.summary().recognition().pattern() != AccessPattern.UNKNOWN)
        .sorted(
            Comparator.<ObservedStream>comparingInt(each -> rankOf(each.summary()))
                .thenComparingDouble(each -> -each.summary().readsPerSecond())
                .thenComparing(each -> each.summary().key()))
        .limit(MOST)
        .map(each -> entry(each, now))
        .forEach(entries::add);
  }

  /** Ranks streams that have a space already first: their blobs would be lost. */
  private int rankOf(StreamSummary summary) {
    return before.containsKey(summary.key()) ? 0 : 1;
  }

  private Entry entry(ObservedStream stream, long now) {
    StreamSummary summary = stream.summary();
    double lease = preferences.ofPath(summary.label()).ttlSeconds().orElse(summary.leaseSeconds());
    boolean lapsed = summary.idleSeconds() > lease;
    boolean quiet = summary.idleSeconds() > Math.min(lease, summary.quietSeconds());
    return new Entry(stream, decided(summary, now), quiet, lapsed);
  }

  /** Returns the decision about a stream, still without bytes: a pattern must prove steady. */
  private StreamOrder decided(StreamSummary summary, long now) {
    AccessPattern told = summary.recognition().pattern();
    @Nullable StreamOrder last = before.get(summary.key());
    if (last == null || last.pattern() == AccessPattern.UNKNOWN || told == last.pattern()) {
      return fresh(summary, told, now);
    }
    boolean challenged = told == last.challenger();
    long since = challenged ? last.challengedAt() : now;
    return challenged && now - since >= STEADY_NANOS
        ? fresh(summary, told, now)
        : new StreamOrder(summary.key(), last.pattern(), told, since, keeper(last.pattern()), 0);
  }

  private static StreamOrder fresh(StreamSummary summary, AccessPattern pattern, long now) {
    return new StreamOrder(summary.key(), pattern, pattern, now, keeper(pattern), 0);
  }

  private static KeeperKind keeper(AccessPattern pattern) {
    return switch (pattern) {
      case RANDOM -> KeeperKind.UNIFORM;
      // What lies between two readers goes in the order in which it came.
      case SEQUENTIAL -> KeeperKind.RECENT;
      case SKEWED, UNKNOWN -> KeeperKind.FIFO3;
    };
  }

  /** Returns the streams whose programs read, or did until a moment ago. */
  public List<ObservedStream> streams() {
    return entries.stream().map(Entry::stream).toList();
  }

  /**
   * Returns the streams that ask for bytes. Those whose lease has lapsed ask for none; those that
   * are quiet keep what they have until somebody needs it.
   *
   * @param capacity the bytes that are divided
   * @param shares the shares of the plan before
   * @param payer returns the user on whose account several share
   */
  public List<Allocator.Claimant> claimants(
      long capacity,
      Function<Tenant, Allocator.Share> shares,
      Function<List<String>, String> payer) {
    List<Allocator.Claimant> claimants = new ArrayList<>();
    for (Entry entry : entries) {
      if (!entry.lapsed || isPinned(entry)) {
        claimants.add(claimant(entry, capacity, shares, payer));
      }
    }
    return claimants;
  }

  private boolean isPinned(Entry entry) {
    return preferences.ofPath(entry.summary().label()).preference() == CachePreference.PIN;
  }

  private Allocator.Claimant claimant(
      Entry entry,
      long capacity,
      Function<Tenant, Allocator.Share> shares,
      Function<List<String>, String> payer) {
    Tenant tenant = entry.order.tenant();
    Allocator.Share had = shares.apply(tenant);
    List<JobSpeed> speeds = entry.quiet ? List.of() : speed(entry.summary()).stream().toList();
    long disk = diskBytes(entry);
    Demand free =
        Demand.of(tenant, disk, curve(entry, disk), speeds)
            .paidBy(payer.apply(entry.stream.users()))
            .reading(entry.quiet ? 0 : bytesPerSecond(entry.summary()));
    boolean reads = !entry.quiet && disk > 0;
    long floor =
        switch (preferences.ofPath(entry.summary().label()).preference()) {
          case PIN -> disk;
          case NEVER -> 0;
          case AUTO -> reads ? Math.min(disk, capacity / FLOOR_PART) : 0;
        };
    boolean vetoed =
        preferences.ofPath(entry.summary().label()).preference() == CachePreference.NEVER;
    long most = vetoed ? 0 : entry.quiet && !isPinned(entry) ? Math.min(disk, had.bytes()) : disk;
    Demand demand = free.within(floor, most);
    boolean measured = entry.quiet || !speeds.isEmpty();
    @Nullable StreamOrder last = before.get(entry.summary().key());
    long kept = last == null ? 0 : Math.min(last.diskBytes(), disk);
    return new Allocator.Claimant(
        demand, measured, Math.max(Math.max(floor, kept), disk / STEPS), had);
  }

  /** Returns the bytes that programs read in a second; an item may be a file of many blocks. */
  private static double bytesPerSecond(StreamSummary summary) {
    double itemBytes = (double) summary.bytes() / Math.max(1, summary.items());
    return summary.readsPerSecond() * Math.min(itemBytes, BLOCK_BYTES);
  }

  /** Returns the bytes on disk of all that a stream could use. */
  private static long diskBytes(Entry entry) {
    StreamSummary summary = entry.summary();
    long bytes =
        entry.order.pattern() == AccessPattern.SEQUENTIAL
            ? FOLLOW_RESERVE * summary.followBytes()
            : summary.bytes();
    return StreamOrder.onDisk(entry.order.keeper(), coarse(bytes));
  }

  /** Returns a number of bytes rounded up to three digits: a plan must not follow every read. */
  private static long coarse(long bytes) {
    long step = Math.max(1, Long.highestOneBit(Math.max(1, bytes)) / 8);
    return (bytes + step - 1) / step * step;
  }

  private UnreadCurve curve(Entry entry, long disk) {
    StreamSummary summary = entry.summary();
    return switch (entry.order.pattern()) {
      case RANDOM -> UnreadCurve.random(STEPS);
      case SKEWED, UNKNOWN ->
          StreamCurves.skewed(
              STEPS,
              StreamOrder.kept(entry.order.keeper(), disk),
              summary.storeShare(),
              counts.apply(StreamOrder.space(summary.key())));
      case SEQUENTIAL ->
          summary.followBytes() == 0
              ? UnreadCurve.sequential(1)
              : UnreadCurve.skewed(
                  new long[] {0, summary.readers() - 1L}, Math.max(2, summary.readers()));
    };
  }

  /**
   * Returns the speed of the programs behind a stream, per read. The time they do not wait follows
   * from how often they read: so many reads are under way as there are readers.
   */
  static Optional<JobSpeed> speed(StreamSummary summary) {
    return ReadSpeed.of(
        summary.key(),
        new ReadSpeed.Measured(
                summary.readsPerSecond(),
                summary.storeShare(),
                summary.cacheSeconds(),
                summary.storeSeconds())
            .guessed());
  }

  /**
   * Returns the decisions about all streams, with their quotas.
   *
   * @param moves the bytes that each tenant has now
   * @param capacity the bytes that are divided
   */
  public SortedMap<String, StreamOrder> orders(AllocationMoves moves, long capacity) {
    SortedMap<String, StreamOrder> orders = new TreeMap<>();
    long part = Math.max(1, capacity / QUOTA_PART);
    for (Entry entry : entries) {
      if (!entry.lapsed || isPinned(entry)) {
        long disk = moves.bytes(entry.order.tenant());
        long whole = diskBytes(entry);
        long even = disk >= whole ? whole : disk / part * part;
        orders.put(entry.order.key(), entry.order.of(StreamOrder.kept(entry.order.keeper(), even)));
      }
    }
    return orders;
  }

  /**
   * Adds spaces that nobody reads any more, as far as there are bytes that nobody needs.
   *
   * @param left bytes on disk that nobody asks for
   */
  public void keepIdle(SortedMap<String, StreamOrder> orders, long left, long capacity) {
    long part = Math.max(1, capacity / QUOTA_PART);
    Set<String> vetoed = new HashSet<>();
    entries.stream()
        .filter(each ->
            preferences.ofPath(each.summary().label()).preference() == CachePreference.NEVER)
        .forEach(each -> vetoed.add(each.summary().key()));
    long rest = left;
    for (StreamOrder idle : before.values()) {
      long disk = idle.diskBytes();
      long fits = disk <= rest ? disk : rest / part * part;
      if (!orders.containsKey(idle.key()) && !vetoed.contains(idle.key()) && fits > 0) {
        orders.put(idle.key(), idle.of(StreamOrder.kept(idle.keeper(), fits)));
        rest -= fits;
      }
    }
  }

  /** Returns the bytes on disk of these orders. */
  public static long bytes(SortedMap<String, StreamOrder> orders) {
    return orders.values().stream().mapToLong(StreamOrder::diskBytes).sum();
  }
}
