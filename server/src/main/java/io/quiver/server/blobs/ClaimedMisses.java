package io.quiver.server.blobs;

import io.quiver.core.claim.Claim;
import io.quiver.core.hash.ContentHash;
import io.quiver.protocol.AskStatus;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.store.BlobStore;
import java.util.ArrayList;
import java.util.List;

/**
 * Claims the misses of one question.
 *
 * <p>Between looking for a blob and claiming it another job may have inserted it. So whatever was
 * claimed is looked for once more: a blob that has arrived is not handed out to be fetched again.
 */
final class ClaimedMisses {
  private final BlobStore store;
  private final Claims claims;

  ClaimedMisses(BlobStore store, Claims claims) {
    this.store = store;
    this.claims = claims;
  }

  /**
   * Replaces every miss by what the job is told about it.
   *
   * @param arrived what to say of a blob that has come meanwhile
   * @return whether a claim was granted
   */
  boolean claim(Question question, AskStatus[] statuses, AskStatus arrived, Account account) {
    List<ContentHash> hashes = question.ask().hashes();
    List<Integer> granted = new ArrayList<>();
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == AskStatus.MISS) {
        boolean yours =
            claims.ask(hashes.get(i), question.caller().job(), question.caller().address())
                == Claim.YOURS;
        statuses[i] = yours ? AskStatus.YOURS : AskStatus.PENDING;
        if (yours) {
          granted.add(i);
        }
        account.count(yours ? ServerCounter.CLAIMS_GRANTED : ServerCounter.CLAIMS_PENDING);
      }
    }
    return lookAgain(hashes, granted, statuses, arrived) > 0;
  }

  private int lookAgain(
      List<ContentHash> hashes, List<Integer> granted, AskStatus[] statuses, AskStatus arrived) {
    boolean[] here = store.contains(granted.stream().map(hashes::get).toList());
    int held = 0;
    for (int i = 0; i < here.length; i++) {
      if (here[i]) {
        statuses[granted.get(i)] = arrived;
        claims.resolve(hashes.get(granted.get(i)));
      } else {
        held++;
      }
    }
    return held;
  }
}
