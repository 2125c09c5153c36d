package io.quiver.simulator.result;

/**
 * The progress of all jobs at a moment.
 *
 * @param seconds the moment
 * @param batches batches worked on by all jobs so far
 * @param storeBytes bytes read from stores so far
 * @param cachedBytes bytes on all servers
 */
public record TimelineSample(double seconds, long batches, long storeBytes, long cachedBytes) {}
