package io.quiver.core.plan.stream;

import io.quiver.core.plan.allocate.AllocationMoves;
import io.quiver.core.plan.allocate.Allocator;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Demand;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.allocate.Tenant;
import io.quiver.core.plan.report.CachePreferences;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The access streams that own quotas, as tenants of the cache. Each recognised stream states a
 * demand by its pattern: random ones that of uniform reads, skewed ones that of their ghosts,
 * sequential ones none, unless a second reader follows the first closely. A stream over objects of
 * a data set that others read as well is a job of that data set and has no space of its own.
 */
public final class StreamTenants {
  /** Most streams with a space of their own, and most without about which a plan says a word. */
  public static final int MOST = 256;

  /** A stream that reads has at least this part of the capacity: without it no ghost is seen. */
  private static final int FLOOR_PART = 512;

  /** These floors together take at most this part, however many streams there are. */
  private static final int ALL_FLOORS_PART = 16;

  /** Quotas are multiples of this part of the capacity, so that plans stay. */
  private static final int QUOTA_PART = 1024;

  private final SortedMap<String, TrackedStream> tracked = new TreeMap<>();
  private final SortedMap<String, StreamOrder> before;
  private final Map<String, Long> held;
  private final Function<SpaceId, KeeperCounts> counts;
  private final int owners;

  /**
   * Facts about streams from the plan before this one and from servers.
   *
   * @param orders of the plan before
   * @param held the bytes that servers hold of each stream, also from before this manager's time
   * @param counts returns the counts of a space's keepers on all servers together
   */
  public record Past(
      SortedMap<String, StreamOrder> orders,
      Map<String, Long> held,
      Function<SpaceId, KeeperCounts> counts) {}

  /**
   * Goes on from the past.
   *
   * @param seen the streams that doors report
   * @param datasets tells whether a data set is planned for
   * @param now the time, in nanoseconds of a steady clock
   */
  public StreamTenants(
      Past past,
      List<ObservedStream> seen,
      CachePreferences preferences,
      Predicate<DatasetKey> datasets,
      long now) {
    this.before = new TreeMap<>(past.orders);
    past.held.forEach((key, bytes) -> before.putIfAbsent(key, StreamOrder.found(key, bytes)));
    this.held = past.held;
    this.counts = past.counts;
    List<TrackedStream> using = new ArrayList<>();
    List<TrackedStream> others = new ArrayList<>();
    for (ObservedStream each : seen) {
      if (each.summary().recognition().pattern() != AccessPattern.UNKNOWN) {
        @Nullable StreamOrder last = before.get(each.summary().key());
        TrackedStream stream = TrackedStream.of(each, last, preferences, now);
        @Nullable DatasetKey dataset = dataset(stream, datasets);
        if (dataset != null) {
          others.add(stream.ofDataset(dataset));
        } else {
          (stream.canUseBytes() ? using : others).add(stream);
        }
      }
    }
    this.owners = track(using);
    track(others);
  }

  /** Returns the data set whose job a stream is; null for none. */
  private static @Nullable DatasetKey dataset(
      TrackedStream stream, Predicate<DatasetKey> datasets) {
    @Nullable String told = stream.summary().dataset();
    if (told == null || stream.order().pattern() == AccessPattern.SEQUENTIAL) {
      return null;
    }
    DatasetKey key = new DatasetKey(told);
    return datasets.test(key) ? key : null;
  }

  /**
   * Plans for the first of these; returns how many they are. Newcomers come by turns, one of each
   * door: a door that tells of streams without end keeps nobody else from a space.
   */
  private int track(List<TrackedStream> streams) {
    streams.sort(
        Comparator.comparingInt(this::rank)
            .thenComparingDouble(each -> -each.summary().readsPerSecond())
            .thenComparing(each -> each.summary().key()));
    Map<String, Integer> turns = new HashMap<>();
    Map<String, Integer> order = new HashMap<>();
    for (TrackedStream each : streams) {
      boolean waits = rank(each) == 1;
      int turn = waits ? turns.merge(each.stream().doors().getFirst(), 1, Integer::sum) : 0;
      order.put(each.summary().key(), turn);
    }
    streams.sort(
        Comparator.comparingInt(this::rank)
            .thenComparingInt(each -> order.getOrDefault(each.summary().key(), 0)));
    List<TrackedStream> first = streams.subList(0, Math.min(MOST, streams.size()));
    first.forEach(each -> tracked.put(each.summary().key(), each));
    return first.size();
  }

  /** Ranks streams that have a space first, for their blobs would be lost, and ended ones last. */
  private int rank(TrackedStream stream) {
    if (!stream.claims()) {
      return 2;
    }
    return before.containsKey(stream.summary().key()) ? 0 : 1;
  }

  /** Returns the stream with a key; null if the plan says nothing about it. */
  public @Nullable TrackedStream tracked(String key) {
    return tracked.get(key);
  }

  /** Returns the data sets that streams read now, whether jobs do or not. */
  public Set<DatasetKey> datasets() {
    Set<DatasetKey> read = new TreeSet<>();
    for (TrackedStream each : tracked.values()) {
      @Nullable DatasetKey dataset = each.order().dataset();
      if (dataset != null && each.isRead()) {
        read.add(dataset);
      }
    }
    return read;
  }

  /** Returns the streams that are jobs of a data set and read it now. */
  public List<TrackedStream> readers(DatasetKey dataset) {
    return tracked.values().stream()
        .filter(each -> dataset.equals(each.order().dataset()) && each.isRead())
        .toList();
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
    long floor = capacity / Math.max(FLOOR_PART, ALL_FLOORS_PART * owners);
    List<Allocator.Claimant> claimants = new ArrayList<>();
    for (TrackedStream each : tracked.values()) {
      if (each.order().dataset() == null && each.claims() && each.canUseBytes()) {
        Allocator.Share had = shares.apply(each.order().tenant());
        claimants.add(claimant(each, floor, had, payer.apply(each.stream().users())));
      }
    }
    return claimants;
  }

  private Allocator.Claimant claimant(
      TrackedStream stream, long floor, Allocator.Share had, String payer) {
    long disk = stream.diskBytes();
    List<JobSpeed> speeds = stream.speed().stream().toList();
    long least = stream.isPinned() ? disk : stream.isRead() ? Math.min(disk, floor) : 0;
    long most = stream.isRead() || stream.isPinned() ? disk : Math.min(disk, had.bytes());
    SpaceId space = StreamSpaceName.of(stream.order().key());
    Demand demand =
        Demand.of(stream.order().tenant(), disk, stream.curve(counts.apply(space)), speeds)
            .within(least, most)
            .paidBy(payer)
            .reading(stream.bytesPerSecond());
    @Nullable StreamOrder last = before.get(stream.order().key());
    long kept = last == null ? 0 : Math.min(last.diskBytes(), disk);
    long trial = Math.max(Math.max(least, kept), disk / TrackedStream.STEPS);
    boolean measured = !stream.isRead() || !speeds.isEmpty();
    return new Allocator.Claimant(demand, measured, trial, had);
  }

  /**
   * Returns the decisions about all streams, with their quotas.
   *
   * @param moves the bytes that each tenant has now
   * @param capacity the bytes that are divided
   */
  public SortedMap<String, StreamOrder> orders(AllocationMoves moves, long capacity) {
    SortedMap<String, StreamOrder> orders = new TreeMap<>();
    for (TrackedStream each : tracked.values()) {
      StreamOrder order = each.order();
      if (each.claims()) {
        long disk = order.dataset() == null ? moves.bytes(order.tenant()) : 0;
        long even = disk >= each.diskBytes() ? each.diskBytes() : even(disk, capacity);
        orders.put(order.key(), order.of(StreamOrder.kept(order.keeper(), Math.min(disk, even))));
      }
    }
    return orders;
  }

  /** Returns bytes rounded down coarsely, but for very few. */
  static long even(long disk, long capacity) {
    long part = part(capacity);
    return disk < part ? disk : disk / part * part;
  }

  /**
   * Adds spaces that nobody reads any more, as far as there are bytes that nobody needs, and not
   * too many; returns the bytes on disk that they take.
   *
   * @param left bytes on disk that nobody asks for
   */
  public long keepIdle(SortedMap<String, StreamOrder> orders, long left, long capacity) {
    long spaces = orders.values().stream().filter(each -> each.quotaBytes() > 0).count();
    long rest = left;
    for (StreamOrder idle : idle(orders)) {
      long disk = idle.diskBytes();
      long fits = disk <= rest ? disk : Math.max(0, rest) / part(capacity) * part(capacity);
      if (fits > 0 && spaces < MOST) {
        orders.put(idle.key(), idle.of(StreamOrder.kept(idle.keeper(), fits)));
        rest -= fits;
        spaces++;
      }
    }
    return left - rest;
  }

  /**
   * Lends skewed streams what random ones do not fill yet. Users with a quota borrow nothing, for a
   * quota binds whatever is free.
   *
   * @param capacity the bytes that are divided
   * @param payer returns the user on whose account several share; empty for nobody's
   */
  public void lend(
      SortedMap<String, StreamOrder> orders, long capacity, Function<List<String>, String> payer) {
    Map<String, Long> usable = new TreeMap<>();
    for (TrackedStream each : tracked.values()) {
      if (each.isRead() && payer.apply(each.stream().users()).isEmpty()) {
        usable.put(each.order().key(), each.diskBytes());
      }
    }
    new StreamLoans(orders, capacity).lend(held, usable);
  }

  private static long part(long capacity) {
    return Math.max(1, capacity / QUOTA_PART);
  }

  /** Returns the spaces that nobody reads: those first that doors still tell of. */
  private List<StreamOrder> idle(SortedMap<String, StreamOrder> orders) {
    List<StreamOrder> idle = new ArrayList<>();
    for (StreamOrder each : before.values()) {
      @Nullable TrackedStream known = tracked.get(each.key());
      boolean vetoed = known != null && known.isVetoed();
      if (!orders.containsKey(each.key()) && each.quotaBytes() > 0 && !vetoed) {
        idle.add(each);
      }
    }
    idle.sort(Comparator.comparing((StreamOrder each) -> !tracked.containsKey(each.key())));
    return idle;
  }

  /** Returns the bytes on disk of these orders. */
  public static long bytes(SortedMap<String, StreamOrder> orders) {
    return orders.values().stream().mapToLong(StreamOrder::diskBytes).sum();
  }
}
