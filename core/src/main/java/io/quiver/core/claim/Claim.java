package io.quiver.core.claim;

/** What a job is told about a blob that is missing. */
public enum Claim {
  /** The job holds the claim: it should fetch and insert the blob. */
  YOURS,
  /** Another job holds the claim and is expected to insert the blob soon. */
  PENDING
}
