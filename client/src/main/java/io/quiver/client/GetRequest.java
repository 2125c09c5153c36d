package io.quiver.client;

import io.quiver.core.hash.ContentHash;
import java.util.List;

/**
 * The request of a get: any {@code want} of these blobs.
 *
 * @param hashes in order of preference; repeats are legal, an empty list is too
 * @param want the number of hits that suffice, 0 to the number of hashes
 * @param claim true to claim missing blobs for this client's job
 * @param verification the check of the bytes of hits
 */
public record GetRequest(
    List<ContentHash> hashes, int want, boolean claim, Verification verification) {
  public GetRequest {
    hashes = List.copyOf(hashes);
    if (want < 0 || want > hashes.size() || (want == 0 && !hashes.isEmpty())) {
      throw new IllegalArgumentException(
          "want " + want + " of " + hashes.size() + " blobs; ask for 1 to as many as are listed");
    }
  }

  /** Returns a request for all of these blobs, checked by CRC32C, nothing claimed. */
  public static GetRequest all(List<ContentHash> hashes) {
    return new GetRequest(hashes, hashes.size(), false, Verification.CRC32C);
  }

  /** Returns a request for any {@code want} of these blobs, checked by CRC32C, nothing claimed. */
  public static GetRequest any(int want, List<ContentHash> hashes) {
    return new GetRequest(hashes, want, false, Verification.CRC32C);
  }

  /** Returns a copy that claims missing blobs. */
  public GetRequest claiming() {
    return new GetRequest(hashes, want, true, verification);
  }

  /** Returns a copy with another check of the bytes. */
  public GetRequest verifiedBy(Verification other) {
    return new GetRequest(hashes, want, claim, other);
  }

  /** The checks that the bytes of a hit are the right ones. */
  public enum Verification {
    /** No check: the network's own checksums have to do. */
    NONE,
    /** Compares the checksum that the store recorded at insertion; cheap enough for every read. */
    CRC32C,
    /**
     * Compares the checksum of every blob, and the hash of the first ones of each server and of a
     * few others that nobody can foresee: a server that forges blobs is soon found out.
     */
    SAMPLED,
    /** Compares the hash of every blob: proof against everything, at about 1.5 GB/s of one core. */
    SHA256
  }
}
