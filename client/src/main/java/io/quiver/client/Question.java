package io.quiver.client;

import io.quiver.core.hash.ContentHash;
import java.util.List;

/**
 * What a get asks for: any {@code want} of these blobs.
 *
 * @param hashes in order of preference; repeats are legal, an empty list is too
 * @param want how many hits suffice, 0 to the number of hashes
 * @param claim whether to claim what is missing for this client's job
 * @param verification how the bytes of hits are checked
 */
public record Question(
    List<ContentHash> hashes, int want, boolean claim, Verification verification) {
  /** Keeps its own copy of the list. */
  public Question {
    hashes = List.copyOf(hashes);
    if (want < 0 || want > hashes.size() || (want == 0 && !hashes.isEmpty())) {
      throw new IllegalArgumentException(
          "want " + want + " of " + hashes.size() + " blobs; ask for 1 to as many as are listed");
    }
  }

  /** All of these blobs, checked by CRC32C, nothing claimed. */
  public static Question all(List<ContentHash> hashes) {
    return new Question(hashes, hashes.size(), false, Verification.CRC32C);
  }

  /** Any {@code want} of these blobs, checked by CRC32C, nothing claimed. */
  public static Question any(int want, List<ContentHash> hashes) {
    return new Question(hashes, want, false, Verification.CRC32C);
  }

  /** The same question, claiming what is missing. */
  public Question claiming() {
    return new Question(hashes, want, true, verification);
  }

  /** The same question with another way to check the bytes. */
  public Question verifiedBy(Verification other) {
    return new Question(hashes, want, claim, other);
  }
}
