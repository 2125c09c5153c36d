package io.quiver.core.plan.stream;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.allocate.Tenant.StreamKey;
import io.quiver.core.space.SpaceId;
import io.quiver.core.stream.AccessPattern;
import io.quiver.core.stream.StreamVerdict;
import org.jspecify.annotations.Nullable;

/**
 * A plan's decision about one stream.
 *
 * @param key its hashed name
 * @param pattern how it is read
 * @param challenger another pattern that doors see of late; equal to the pattern if they do not
 * @param challengedAt when they began to
 * @param keeper the policy of its space
 * @param quotaBytes most bytes of it in the cache; 0 for no space
 */
public record StreamOrder(
    String key,
    AccessPattern pattern,
    AccessPattern challenger,
    long challengedAt,
    KeeperKind keeper,
    long quotaBytes) {
  private static final String SPACE_PREFIX = DatasetKey.SPACE_PREFIX + "stream.";

  /** Returns the space of a stream. */
  public static SpaceId space(String key) {
    return new SpaceId(SPACE_PREFIX + key);
  }

  /** Returns the key of the stream whose space has a name; null if it is no stream's. */
  public static @Nullable String key(String space) {
    return space.startsWith(SPACE_PREFIX) ? space.substring(SPACE_PREFIX.length()) : null;
  }

  /** Returns the order of a space that servers hold from before this manager's time. */
  static StreamOrder found(String key, long bytes) {
    return new StreamOrder(
        key, AccessPattern.UNKNOWN, AccessPattern.UNKNOWN, 0, KeeperKind.UNIFORM, bytes);
  }

  /** Returns the tenant to whom the bytes of a stream are given. */
  public static StreamKey tenant(String key) {
    return new StreamKey("stream." + key);
  }

  /** Returns the tenant to whom the bytes are given. */
  public StreamKey tenant() {
    return tenant(key);
  }

  /** Returns a copy with another quota. */
  StreamOrder of(long bytes) {
    return new StreamOrder(key, pattern, challenger, challengedAt, keeper, bytes);
  }

  /** Returns the order of its space; null for none. */
  public @Nullable SpaceOrder spaceOrder() {
    return quotaBytes == 0 ? null : new SpaceOrder(space(key), keeper, quotaBytes);
  }

  /** Returns the word of the plan about it, for doors. */
  public StreamVerdict verdict() {
    return new StreamVerdict(key, pattern, quotaBytes == 0 ? null : space(key), quotaBytes);
  }

  /** Returns true if servers and doors would see no difference. */
  public boolean showsSame(StreamOrder other) {
    return verdict().equals(other.verdict()) && keeper == other.keeper;
  }

  /** Returns the bytes on disk that keep this many bytes. */
  static long onDisk(KeeperKind keeper, long kept) {
    return (long) Math.ceil(kept / keeper.filledShare());
  }

  /** Returns the bytes that are kept with so many on disk. */
  static long kept(KeeperKind keeper, long disk) {
    return (long) (disk * keeper.filledShare());
  }

  /** Returns the bytes on disk of its space. */
  public long diskBytes() {
    return onDisk(keeper, quotaBytes);
  }
}
