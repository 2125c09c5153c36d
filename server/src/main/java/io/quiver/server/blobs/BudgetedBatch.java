package io.quiver.server.blobs;

import io.quiver.http.ByteBudget;
import io.quiver.http.Refusal;
import io.quiver.store.BlobBatch;
import java.util.function.Supplier;

/**
 * Blobs that are being sent, together with their share of the budget.
 *
 * <p>How long an answer is shows when it has been read. A first blob may be longer than a whole
 * answer should be; then everything is given back before the bytes that it takes are waited for.
 *
 * @param blobs what was found
 * @param share stands for its bytes
 */
record BudgetedBatch(BlobBatch blobs, ByteBudget.Share share) implements AutoCloseable {
  /** Reads after which the blobs are taken to change too fast. */
  private static final int ATTEMPTS = 3;

  /**
   * Reads blobs within the budget.
   *
   * @param caller pays for them
   * @param usualBytes the most bytes read unless the first blob alone is longer
   * @param read reads them
   */
  static BudgetedBatch read(
      ByteBudget budget, String caller, long usualBytes, Supplier<BlobBatch> read) throws Refusal {
    long bytes = usualBytes;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ByteBudget.Share share = budget.take(caller, bytes);
      boolean kept = false;
      try {
        BlobBatch blobs = read.get();
        if (blobs.hitBytes() <= bytes) {
          share.shrink(blobs.hitBytes());
          kept = true;
          return new BudgetedBatch(blobs, share);
        }
        bytes = blobs.hitBytes();
        blobs.close();
      } finally {
        if (!kept) {
          share.close();
        }
      }
    }
    throw Refusal.busy("the blobs that were found changed while they were read");
  }

  @Override
  public void close() {
    blobs.close();
    share.close();
  }
}
