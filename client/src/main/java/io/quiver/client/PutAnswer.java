package io.quiver.client;

import io.quiver.protocol.Receipt;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a put.
 *
 * @param receipts one for each blob, in order; empty where the owning server gave none, so that
 *     nobody knows whether the blob is there
 * @param lowest the lowest priority that a full ranked space of these blobs keeps, the least of all
 *     servers; 0 where one takes any blob
 * @param failures servers that gave no receipts, and why
 */
public record PutAnswer(
    List<Optional<Receipt>> receipts, long lowest, List<ServerFailure> failures) {
  public PutAnswer {
    receipts = List.copyOf(receipts);
    failures = List.copyOf(failures);
  }

  /** Returns the owning server's receipt for the blob at this index, if there is one. */
  public Optional<Receipt> receipt(int index) {
    return receipts.get(index);
  }

  /** Returns true if the blob at this index can be read from its server now, as far as is known. */
  public boolean here(int index) {
    return receipts.get(index).map(Receipt::here).orElse(false);
  }

  /** Returns the number of blobs with this receipt. */
  public int count(Receipt receipt) {
    return (int) receipts.stream().filter(Optional.of(receipt)::equals).count();
  }

  /** Returns true if every blob can be read from its server now. */
  public boolean allHere() {
    return receipts.stream().allMatch(receipt -> receipt.map(Receipt::here).orElse(false));
  }
}
