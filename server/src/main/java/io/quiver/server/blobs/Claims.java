package io.quiver.server.blobs;

import io.quiver.core.claim.Claim;
import io.quiver.core.claim.ClaimTable;
import io.quiver.core.hash.ContentHash;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** The claim table with the server's clock and a lock. */
public final class Claims {
  private final ReentrantLock lock = new ReentrantLock();
  private final ClaimTable table;
  private final LongSupplier nanoTime;
  private final Duration lease;

  /** An empty table with this lease and bound. */
  public Claims(Duration lease, int maxClaims, LongSupplier nanoTime) {
    this.table = new ClaimTable(lease, maxClaims);
    this.nanoTime = nanoTime;
    this.lease = lease;
  }

  /** Returns how long a claim holds. */
  Duration lease() {
    return lease;
  }

  /** Returns a job asks for a missing blob. */
  Claim ask(ContentHash hash, String job) {
    lock.lock();
    try {
      return table.ask(hash, job, nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** The blob is here. */
  void resolve(ContentHash hash) {
    lock.lock();
    try {
      table.resolve(hash);
    } finally {
      lock.unlock();
    }
  }

  /** Claims that hold now. */
  public int size() {
    lock.lock();
    try {
      return table.size(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }
}
