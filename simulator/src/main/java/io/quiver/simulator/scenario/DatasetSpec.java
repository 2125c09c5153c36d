package io.quiver.simulator.scenario;

/**
 * A data set.
 *
 * @param name what jobs call it
 * @param store where it lies
 * @param items how many items it has
 * @param itemBytes how long each is
 * @param aggregate whether items are only counted, chunk by chunk
 */
public record DatasetSpec(
    String name, String store, int items, long itemBytes, boolean aggregate) {}
