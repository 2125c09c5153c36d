package io.quiver.core.plan;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Demand;
import io.quiver.core.plan.allocate.JobSpeed;
import io.quiver.core.plan.allocate.Tenant.StreamKey;
import io.quiver.core.plan.allocate.UnreadCurve;
import io.quiver.core.plan.report.DoorReport;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.SpaceSizes;
import io.quiver.core.plan.stream.ReadSpeed;
import io.quiver.core.space.SpaceId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans the space that all doors share. Doors are one tenant: their programs read the same store,
 * and each finds there what another has read. A tenant is given bytes on disk; the space keeps a
 * share of them filled, because its victims lie scattered.
 */
public final class DoorSpaces {
  /** The name under which the doors are one tenant. */
  public static final StreamKey TENANT = new StreamKey("doors");

  /** The space of what all doors read. */
  public static final SpaceId SHARED = new SpaceId(DatasetKey.SPACE_PREFIX + TENANT.text());

  /** Keeper of the space: it does as well for random reads as for skewed ones. */
  static final KeeperKind KEEPER = KeeperKind.FIFO3;

  private static final int STEPS = 16;

  /** While others need all, doors have this part of the capacity: less would only be churned. */
  private static final int FLOOR_PART = 64;

  /** Bytes beyond a demand are given in such parts of the capacity, so that plans stay. */
  private static final int SPARE_PART = 128;

  /** Reads of skewed programs are counted for the curve to this precision. */
  private static final long CURVE_READS = 1_000_000;

  /** The most skewed reads that a curve assumes: a quarter of the data hits seven tenths. */
  private static final double LEAST_EXPONENT = 0.25;

  private final @Nullable SpaceOrder before;
  private final List<DoorReport> doors;
  private final long held;

  /**
   * Goes on from the order of the plan before.
   *
   * @param seen servers tell what they hold, also from before this manager's time
   */
  public DoorSpaces(@Nullable SpaceOrder before, Observations seen) {
    this.before = before;
    this.doors =
        seen.doors().stream()
            .map(Observed::report)
            .sorted(Comparator.comparing(DoorReport::door))
            .toList();
    this.held = seen.servers().stream().mapToLong(DoorSpaces::held).sum();
  }

  private static long held(Observed<ServerReport> server) {
    SpaceSizes sizes = server.report().spaceSizes();
    int place = sizes.names().place(SHARED.name());
    return place < 0 ? 0 : sizes.bytes(place);
  }

  /** Returns the bytes that servers hold in the space. */
  public long heldBytes() {
    return held;
  }

  /** Returns the doors, in the order of their names. */
  public List<DoorReport> doors() {
    return doors;
  }

  /** Returns the doors' users. */
  List<String> users() {
    return doors.stream().map(DoorReport::user).toList();
  }

  /** Returns true if a door runs. */
  boolean areRead() {
    return !doors.isEmpty();
  }

  /**
   * Returns the demand of all doors together, in bytes on disk, with its floor.
   *
   * @param capacity the bytes that are divided
   */
  Demand demand(long capacity) {
    List<JobSpeed> speeds = doors.stream().flatMap(door -> speed(door).stream()).toList();
    long floor = capacity / FLOOR_PART;
    Demand demand = Demand.of(TENANT, Math.max(onDisk(working()), floor), curve(), speeds);
    return demand.within(floor, Long.MAX_VALUE);
  }

  /** Returns true if the worth of bytes is known for every door that reads. */
  boolean measured() {
    return doors.stream().anyMatch(door -> speed(door).isPresent())
        && doors.stream().allMatch(door -> door.readsPerSecond() == 0 || speed(door).isPresent());
  }

  /**
   * Returns the bytes that doors get until they are measured: a step, or what is there from before
   * this manager's time.
   */
  long trial(Demand demand) {
    return Math.max(demand.bytes() / STEPS, before == null ? onDisk(held) : 0);
  }

  /**
   * Returns the bytes of all working sets, coarsely: a plan must not follow every read. Doors that
   * have just started do not know theirs, but servers hold what they read before.
   */
  private long working() {
    long told = 0;
    for (DoorReport door : doors) {
      told += door.bytes();
    }
    long known = told == 0 ? held : told;
    long step = Math.max(1, Long.highestOneBit(Math.max(1, known)) / 8);
    return (known + step - 1) / step * step;
  }

  /**
   * Returns the curve of the doors' reads: that of random ones, or of such skewed ones as hit what
   * was hit with the bytes that are held now.
   */
  private UnreadCurve curve() {
    double reads = doors.stream().mapToDouble(DoorReport::readsPerSecond).sum();
    double stored =
        doors.stream().mapToDouble(door -> door.readsPerSecond() * door.storeShare()).sum();
    double part = (double) held / Math.max(1, working());
    boolean known = reads > 0 && part > 1.0 / STEPS && part < 1;
    double hit = known ? 1 - stored / reads : 0;
    if (!(hit > part && hit < 1)) {
      return UnreadCurve.random(STEPS);
    }
    double exponent = Math.max(LEAST_EXPONENT, Math.log(hit) / Math.log(part));
    long[] hits = new long[STEPS + 1];
    for (int held = 0; held <= STEPS; held++) {
      hits[held] = Math.round(CURVE_READS * Math.pow((double) held / STEPS, exponent));
    }
    return UnreadCurve.skewed(hits, CURVE_READS);
  }

  /** Returns the speed of the programs behind a door, per read. */
  static Optional<JobSpeed> speed(DoorReport door) {
    return ReadSpeed.of(
        door.door(),
        new ReadSpeed.Measured(
            door.readsPerSecond(), door.storeShare(), door.cacheSeconds(), door.storeSeconds()));
  }

  /**
   * Returns the order of the space; null for none. While no door runs, the space keeps what it has
   * of the bytes that nobody needs.
   *
   * @param granted bytes on disk that the doors are given for what these are worth
   * @param left bytes on disk that nobody needs
   * @param capacity the bytes that are divided
   */
  @Nullable SpaceOrder order(long granted, long left, long capacity) {
    long part = Math.max(1, capacity / SPARE_PART);
    long bytes = kept(granted + Math.max(0, left) / part * part);
    if (!areRead()) {
      bytes = Math.min(bytes, before == null ? held : before.quotaBytes());
    }
    return bytes == 0 ? null : new SpaceOrder(SHARED, KEEPER, bytes);
  }

  /** Returns the bytes on disk of an order. */
  static long bytes(@Nullable SpaceOrder order) {
    return order == null ? 0 : onDisk(order.quotaBytes());
  }

  private static long kept(long disk) {
    return (long) (disk * KEEPER.filledShare());
  }

  private static long onDisk(long kept) {
    return (long) Math.ceil(kept / KEEPER.filledShare());
  }
}
