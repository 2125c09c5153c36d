package io.quiver.server.blobs;

import io.quiver.core.claim.Claim;
import io.quiver.core.claim.ClaimTable;
import io.quiver.core.hash.ContentHash;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** Gives the claim table the server's clock and a lock. */
public final class Claims {
  private final ReentrantLock lock = new ReentrantLock();
  private final ClaimTable table;
  private final LongSupplier nanoTime;
  private final Duration lease;

  /** Makes an empty table with this lease and bound. */
  public Claims(Duration lease, int maxClaims, LongSupplier nanoTime) {
    this.table = new ClaimTable(lease, maxClaims);
    this.nanoTime = nanoTime;
    this.lease = lease;
  }

  /** Returns how long a claim holds. */
  Duration lease() {
    return lease;
  }

  /** Asks for a missing blob on behalf of a job, which speaks from the caller's address. */
  Claim ask(ContentHash hash, String job, String caller) {
    lock.lock();
    try {
      return table.ask(hash, job, caller, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Ends the claim on a blob that is here. */
  void resolve(ContentHash hash) {
    lock.lock();
    try {
      table.resolve(hash);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of claims that hold now. */
  public int size() {
    lock.lock();
    try {
      return table.size(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }
}
