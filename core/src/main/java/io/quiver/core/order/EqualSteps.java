package io.quiver.core.order;

/**
 * The rule that all ranks of a job take the same number of steps, as training in lockstep needs
 * (PyTorch's {@code DistributedSampler} pads or drops). It holds when every draw is delivered
 * whole.
 */
public enum EqualSteps {
  /** Ranks may differ by one item: nothing is repeated, nothing left out. */
  OFF,
  /** Ranks that are one item short repeat one, marked as padding. */
  PAD,
  /** Ranks that have one item more leave it out of this epoch. */
  DROP
}
