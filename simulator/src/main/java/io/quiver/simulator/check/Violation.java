package io.quiver.simulator.check;

/**
 * A promise that was broken.
 *
 * @param atNanos when
 * @param promise which one
 * @param what what happened
 */
public record Violation(long atNanos, String promise, String what) {}
