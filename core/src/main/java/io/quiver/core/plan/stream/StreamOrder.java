package io.quiver.core.plan.stream;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.allocate.Tenant.StreamKey;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamVerdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plan's decision about one stream.
 *
 * @param key its hashed name
 * @param pattern how it is read
 * @param challenger another pattern that doors see of late; equal to the pattern if they do not
 * @param challengedAt when they began to
 * @param keeper the policy of its space
 * @param quotaBytes the bytes in the cache that it has been given; 0 for no space
 * @param roomBytes most bytes of it in the cache now: fewer than its quota while others use what it
 *     does not fill yet, and more while it uses what others do not
 * @param dataset the data set whose job it is; null for a stream that is a tenant itself
 */
public record StreamOrder(
    String key,
    AccessPattern pattern,
    AccessPattern challenger,
    long challengedAt,
    KeeperKind keeper,
    long quotaBytes,
    long roomBytes,
    @Nullable DatasetKey dataset) {
  /** A pattern that differs from the plan's counts once doors have told it for this long. */
  static final long STEADY_NANOS = 3_000_000_000L;

  /** Keeps a quotient that is whole but for its last bit from being rounded up. */
  private static final double EXACT = 1 - 1e-12;

  /** Returns the order of a space that servers hold from before this manager's time. */
  static StreamOrder found(String key, long bytes) {
    AccessPattern unknown = AccessPattern.UNKNOWN;
    return new StreamOrder(key, unknown, unknown, 0, KeeperKind.UNIFORM, bytes, bytes, null);
  }

  /**
   * Returns the decision that follows from the pattern that doors tell, still without bytes: a
   * pattern must prove steady before it replaces another.
   *
   * @param before the decision so far; null for none
   */
  static StreamOrder next(@Nullable StreamOrder before, String key, AccessPattern told, long now) {
    if (before == null || before.pattern == AccessPattern.UNKNOWN || told == before.pattern) {
      return new StreamOrder(key, told, told, now, keeper(told), 0, 0, null);
    }
    boolean challenged = told == before.challenger;
    long since = challenged ? before.challengedAt : now;
    AccessPattern counts = challenged && now - since >= STEADY_NANOS ? told : before.pattern;
    return new StreamOrder(key, counts, told, since, keeper(counts), 0, 0, null);
  }

  /** Returns the keeper that suits a pattern. */
  public static KeeperKind keeper(AccessPattern pattern) {
    return switch (pattern) {
      case RANDOM -> KeeperKind.UNIFORM;
      // What lies between two readers goes in the order in which it came.
      case SEQUENTIAL -> KeeperKind.RECENT;
      case SKEWED, UNKNOWN -> KeeperKind.FIFO3;
    };
  }

  /** Returns the tenant to whom the bytes of a stream are given. */
  public static StreamKey tenant(String key) {
    return new StreamKey("stream." + key);
  }

  /** Returns the tenant to whom the bytes are given. */
  public StreamKey tenant() {
    return tenant(key);
  }

  /** Returns a copy with another quota, all of which is its own. */
  StreamOrder of(long bytes) {
    return new StreamOrder(key, pattern, challenger, challengedAt, keeper, bytes, bytes, dataset);
  }

  /** Returns a copy that has so much room for now. */
  StreamOrder withRoom(long bytes) {
    return new StreamOrder(
        key, pattern, challenger, challengedAt, keeper, quotaBytes, bytes, dataset);
  }

  /** Returns a copy that is a job of a data set. */
  StreamOrder ofDataset(DatasetKey other) {
    return new StreamOrder(key, pattern, challenger, challengedAt, keeper, 0, 0, other);
  }

  /** Returns the order of its space; null for none. */
  public @Nullable SpaceOrder spaceOrder() {
    return quotaBytes == 0 ? null : new SpaceOrder(StreamSpaceName.of(key), keeper, roomBytes);
  }

  /** Returns the word of the plan about it, for doors. */
  public StreamVerdict verdict() {
    return new StreamVerdict(
        key, pattern, quotaBytes == 0 ? null : StreamSpaceName.of(key), quotaBytes);
  }

  /** Returns true if servers and doors would see no difference. */
  public boolean showsSame(StreamOrder other) {
    return verdict().equals(other.verdict())
        && keeper == other.keeper
        && roomBytes == other.roomBytes
        && Objects.equals(dataset, other.dataset);
  }

  /** Returns the bytes on disk that keep this many bytes: those of which so many are kept. */
  static long onDisk(KeeperKind keeper, long kept) {
    return (long) Math.ceil(EXACT * kept / keeper.filledShare());
  }

  /** Returns the bytes that are kept with so many on disk. */
  static long kept(KeeperKind keeper, long disk) {
    return (long) (disk * keeper.filledShare());
  }

  /** Returns the bytes on disk that it has been given. */
  public long diskBytes() {
    return onDisk(keeper, quotaBytes);
  }
}
