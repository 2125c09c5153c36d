package io.quiver.core.claim;

/** The answer to a claim for a missing blob. */
public enum Claim {
  /** The job has the claim: it should fetch and insert the blob. */
  YOURS,
  /** Another job has the claim and is expected to insert the blob soon. */
  PENDING
}
