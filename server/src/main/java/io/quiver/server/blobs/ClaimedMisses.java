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
 * Claims the misses of one question for blobs or for names, which share the table of claims: no
 * name is the hash of a blob.
 *
 * <p>Between looking for a blob and claiming it another job may have inserted it. So whatever was
 * claimed is looked for once more: a blob that has arrived is not handed out to be fetched again.
 */
final class ClaimedMisses {
  private final Claims claims;

  ClaimedMisses(Claims claims) {
    this.claims = claims;
  }

  /** Looks once more for what was missed, and returns for each place whether it is here now. */
  @FunctionalInterface
  interface SecondLook {
    boolean[] arrived(List<Integer> places);
  }

  /** Looks for blobs once more. */
  static SecondLook forBlobs(BlobStore store, List<ContentHash> hashes) {
    return places -> store.contains(places.stream().map(hashes::get).toList());
  }

  /**
   * Replaces every miss by what the job is told about it.
   *
   * @param hashes what was asked for: hashes of blobs, or keys of names
   * @param arrived what to say of one that has come meanwhile
   * @return whether a claim was granted
   */
  boolean claim(
      List<ContentHash> hashes,
      RequestNames.Caller caller,
      AskStatus[] statuses,
      AskStatus arrived,
      SecondLook look,
      Account account) {
    List<Integer> granted = new ArrayList<>();
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == AskStatus.MISS) {
        boolean yours = claims.ask(hashes.get(i), caller.job(), caller.address()) == Claim.YOURS;
        statuses[i] = yours ? AskStatus.YOURS : AskStatus.PENDING;
        if (yours) {
          granted.add(i);
        }
        account.count(yours ? ServerCounter.CLAIMS_GRANTED : ServerCounter.CLAIMS_PENDING);
      }
    }
    return lookAgain(hashes, granted, statuses, arrived, look) > 0;
  }

  private int lookAgain(
      List<ContentHash> hashes,
      List<Integer> granted,
      AskStatus[] statuses,
      AskStatus arrived,
      SecondLook look) {
    boolean[] here = look.arrived(granted);
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
