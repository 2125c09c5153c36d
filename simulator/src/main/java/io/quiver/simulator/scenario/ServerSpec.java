package io.quiver.simulator.scenario;

/**
 * A cache server.
 *
 * @param name its name
 * @param machine where it runs
 * @param cacheBytes most it holds
 * @param diskBytesPerSecond how fast it reads what it holds
 */
public record ServerSpec(String name, String machine, long cacheBytes, double diskBytesPerSecond) {}
