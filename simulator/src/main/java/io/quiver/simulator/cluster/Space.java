package io.quiver.simulator.cluster;

/**
 * The chunk of a data set that a space on a server holds.
 *
 * @param dataset the data set's place in the scenario
 * @param chunks into how many chunks it is divided
 * @param chunk which of them
 */
public record Space(int dataset, int chunks, int chunk) {
  /** The chunk of items that are kept one by one. */
  public static final int NO_CHUNK = -1;
}
