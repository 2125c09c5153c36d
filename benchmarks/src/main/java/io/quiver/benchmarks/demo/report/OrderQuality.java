package io.quiver.benchmarks.demo.report;

/**
 * The randomness of an order in one measure: of a job, and of plain shuffles to compare with.
 *
 * @param order which epoch
 * @param measure what was measured
 * @param value of the order the job was given
 * @param shuffled what a global shuffle gives on average
 */
public record OrderQuality(String order, String measure, double value, double shuffled) {}
