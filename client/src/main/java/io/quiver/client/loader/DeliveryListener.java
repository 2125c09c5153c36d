package io.quiver.client.loader;

/** Told of every batch at the moment it is handed to the training loop. */
@FunctionalInterface
public interface DeliveryListener {
  /** Takes no notice. */
  DeliveryListener NONE = (epoch, rank, items) -> {};

  /**
   * A batch was delivered. Called by the thread that asked for it, one batch of a rank after the
   * other; what is thrown here fails the training loop's call.
   *
   * @param epoch which epoch
   * @param rank which rank
   * @param items its items, in the batch's order
   */
  void delivered(int epoch, int rank, int[] items);
}
