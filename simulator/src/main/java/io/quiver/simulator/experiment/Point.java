package io.quiver.simulator.experiment;

/**
 * A value at a time, of a curve to be drawn.
 *
 * @param seconds the time
 * @param value the value
 */
public record Point(double seconds, double value) {}
