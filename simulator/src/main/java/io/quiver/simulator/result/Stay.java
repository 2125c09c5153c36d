package io.quiver.simulator.result;

/**
 * One stay of a chunk in the cache.
 *
 * @param dataset the data set's name
 * @param chunk which chunk
 * @param rotating whether it was there in turn, when it came
 * @param fromSeconds when its first item came
 * @param toSeconds when its last item went, or the end
 */
public record Stay(
    String dataset, int chunk, boolean rotating, double fromSeconds, double toSeconds) {}
