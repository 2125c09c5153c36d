package io.quiver.core.claim;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.text.PlainDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which job fetches a missing blob, so that a sweep of jobs reads each item from slow
 * storage once.
 *
 * <p>The first job to ask for a missing blob gets the claim for the length of a lease; asking again
 * renews it. Others are told that the blob is pending. A claim whose lease has run out passes to
 * the next job that asks, and an insert ends it. The table is bounded: when it is full the oldest
 * claim is forgotten, which costs at worst a second fetch.
 *
 * <p>Nobody is trusted to deliver. One caller, under whatever names of jobs, keeps others waiting
 * for a blob no longer than {@link #MOST_LEASES} leases within {@link #FORGIVEN_AFTER_LEASES}, and
 * has at most half of the table. Beyond that it is told to fetch what it asks for, and nobody waits
 * for it.
 *
 * <p>Time is passed in, in nanoseconds of any origin that never runs backwards. Not safe for use by
 * several threads at once.
 */
public final class ClaimTable {
  /** Leases for which one caller may keep others waiting for a blob it does not deliver. */
  static final int MOST_LEASES = 2;

  /** Leases after which a claim that was not honoured is forgotten. */
  static final int FORGIVEN_AFTER_LEASES = 12;

  private final long leaseNanos;
  private final int maxClaims;

  /** In the order in which leases run out, but for the last renewal of a claim. */
  private final LinkedHashMap<ContentHash, Grant> claims = new LinkedHashMap<>();

  /** Claims that ran out, in the order in which they are forgotten. */
  private final LinkedHashMap<ContentHash, Lapse> lapses = new LinkedHashMap<>();

  private final Map<String, Integer> heldByCaller = new HashMap<>();

  /** A claim that may last until {@code endsNanos} and runs out before unless it is renewed. */
  private record Grant(String job, String caller, long expiresNanos, long endsNanos) {}

  /** A claim that ran out; {@code leftNanos} is what its caller may still make others wait. */
  private record Lapse(String caller, long leftNanos, long forgivenNanos) {}

  /**
   * Makes an empty table.
   *
   * @param lease how long a claim lasts
   * @param maxClaims how many claims are remembered
   */
  public ClaimTable(Duration lease, int maxClaims) {
    if (lease.isNegative() || lease.isZero() || maxClaims < 1) {
      throw new IllegalArgumentException(
          "a lease of " + PlainDuration.of(lease) + " for " + maxClaims + " claims");
    }
    this.leaseNanos = lease.toNanos();
    this.maxClaims = maxClaims;
  }

  /** Answers a job that asks for a missing blob, and is a caller of its own. */
  public Claim ask(ContentHash hash, String job, long nowNanos) {
    return ask(hash, job, job, nowNanos);
  }

  /**
   * Answers a job that asks for a missing blob.
   *
   * @param caller where the question comes from; several jobs may share it
   */
  public Claim ask(ContentHash hash, String job, String caller, long nowNanos) {
    dropExpired(nowNanos);
    Grant grant = claims.get(hash);
    if (grant != null && expired(grant, nowNanos)) {
      lapse(hash, grant);
      grant = null;
    }
    if (grant != null && !grant.job.equals(job)) {
      return Claim.PENDING;
    }
    if (grant == null) {
      grant(hash, job, caller, nowNanos);
    } else {
      claims.remove(hash);
      claims.put(hash, lasting(job, grant.caller, nowNanos, grant.endsNanos));
    }
    return Claim.YOURS;
  }

  private void grant(ContentHash hash, String job, String caller, long nowNanos) {
    long left = leftNanos(hash, caller, nowNanos);
    if (left <= 0 || heldByCaller.getOrDefault(caller, 0) >= Math.ceilDiv(maxClaims, 2)) {
      return;
    }
    if (claims.size() >= maxClaims) {
      Map.Entry<ContentHash, Grant> oldest = claims.pollFirstEntry();
      release(oldest.getValue());
    }
    claims.put(hash, lasting(job, caller, nowNanos, nowNanos + left));
    heldByCaller.merge(caller, 1, Integer::sum);
  }

  private Grant lasting(String job, String caller, long nowNanos, long endsNanos) {
    return new Grant(job, caller, nowNanos + Math.min(leaseNanos, endsNanos - nowNanos), endsNanos);
  }

  /** Returns how long this caller may still keep others waiting for a blob. */
  private long leftNanos(ContentHash hash, String caller, long nowNanos) {
    Lapse lapse = lapses.get(hash);
    return lapse != null && lapse.caller.equals(caller) && nowNanos - lapse.forgivenNanos < 0
        ? lapse.leftNanos
        : MOST_LEASES * leaseNanos;
  }

  /**
   * Ends the claim on a blob that is here now, whosever it was.
   *
   * @return whether there was one
   */
  public boolean resolve(ContentHash hash) {
    lapses.remove(hash);
    Grant grant = claims.remove(hash);
    release(grant);
    return grant != null;
  }

  /** Returns how many claims last at this time. */
  public int size(long nowNanos) {
    dropExpired(nowNanos);
    return claims.size();
  }

  private void dropExpired(long nowNanos) {
    Map.Entry<ContentHash, Grant> oldest = claims.firstEntry();
    while (oldest != null && expired(oldest.getValue(), nowNanos)) {
      lapse(oldest.getKey(), oldest.getValue());
      oldest = claims.firstEntry();
    }
    Iterator<Lapse> lapsed = lapses.values().iterator();
    while (lapsed.hasNext() && nowNanos - lapsed.next().forgivenNanos >= 0) {
      lapsed.remove();
    }
  }

  private void lapse(ContentHash hash, Grant grant) {
    claims.remove(hash);
    release(grant);
    lapses.remove(hash);
    if (lapses.size() >= Math.ceilDiv(maxClaims, 4)) {
      lapses.pollFirstEntry();
    }
    lapses.put(
        hash,
        new Lapse(
            grant.caller,
            grant.endsNanos - grant.expiresNanos,
            grant.expiresNanos + FORGIVEN_AFTER_LEASES * leaseNanos));
  }

  private void release(@Nullable Grant grant) {
    if (grant != null) {
      heldByCaller.computeIfPresent(grant.caller, (_, held) -> held == 1 ? null : held - 1);
    }
  }

  private static boolean expired(Grant grant, long nowNanos) {
    return nowNanos - grant.expiresNanos >= 0;
  }
}
