package io.quiver.core.plan.report;

/**
 * A report and when it came.
 *
 * @param report what was reported
 * @param at when, in nanoseconds of the manager's steady clock
 */
public record Observed<T>(T report, long at) {}
