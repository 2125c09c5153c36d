package io.quiver.core.claim;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.text.PlainDuration;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides which job fetches a missing blob, so that a sweep of jobs reads each item from slow
 * storage once.
 *
 * <p>The first job to ask for a missing blob gets the claim for the length of a lease; asking again
 * renews it. Others are told that the blob is pending. A claim whose lease has run out passes to
 * the next job that asks, and an insert ends it. The table is bounded: when it is full the oldest
 * claim is forgotten, which costs at worst a second fetch.
 *
 * <p>Time is passed in, in nanoseconds of any origin that never runs backwards. Not safe for use by
 * several threads at once.
 */
public final class ClaimTable {
  private final long leaseNanos;
  private final int maxClaims;

  /** In the order in which leases run out: every grant and renewal goes to the end. */
  private final LinkedHashMap<ContentHash, Grant> claims = new LinkedHashMap<>();

  private record Grant(String job, long expiresNanos) {}

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

  /** Answers a job that asks for a missing blob. */
  public Claim ask(ContentHash hash, String job, long nowNanos) {
    Grant grant = claims.get(hash);
    if (grant != null && !expired(grant, nowNanos) && !grant.job.equals(job)) {
      return Claim.PENDING;
    }
    claims.remove(hash);
    dropOldest(nowNanos);
    claims.put(hash, new Grant(job, nowNanos + leaseNanos));
    return Claim.YOURS;
  }

  /**
   * Ends the claim on a blob that is here now, whosever it was.
   *
   * @return whether there was one
   */
  public boolean resolve(ContentHash hash) {
    return claims.remove(hash) != null;
  }

  /** Returns how many claims last at this time. */
  public int size(long nowNanos) {
    dropExpired(nowNanos);
    return claims.size();
  }

  private void dropOldest(long nowNanos) {
    if (claims.size() < maxClaims) {
      return;
    }
    dropExpired(nowNanos);
    if (claims.size() >= maxClaims) {
      claims.pollFirstEntry();
    }
  }

  private void dropExpired(long nowNanos) {
    Iterator<Map.Entry<ContentHash, Grant>> oldest = claims.entrySet().iterator();
    while (oldest.hasNext() && expired(oldest.next().getValue(), nowNanos)) {
      oldest.remove();
    }
  }

  private static boolean expired(Grant grant, long nowNanos) {
    return nowNanos - grant.expiresNanos >= 0;
  }
}
