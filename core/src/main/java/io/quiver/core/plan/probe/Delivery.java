package io.quiver.core.plan.probe;

/**
 * A batch that was handed to the training loop.
 *
 * @param items how many items it has
 * @param nanos time since the one before, without pauses the loop made for other reasons; negative
 *     when there was none before
 * @param waitedNanos how much of that the loop waited for it
 * @param supplyMode how it was supplied
 * @param probed whether it was supplied so for a probe's sake
 */
public record Delivery(
    int items, long nanos, long waitedNanos, SupplyMode supplyMode, boolean probed) {}
