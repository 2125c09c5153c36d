package io.quiver.client.loader;

import io.quiver.core.engine.JobMeter;
import java.util.function.BooleanSupplier;

/**
 * What all epochs of a job share.
 *
 * @param board the latest plan
 * @param reader reads batches
 * @param meter times the training loop
 * @param tally counts for the whole job
 * @param ahead begins to read what a strict order will need
 * @param news to be run when something changed that a plan depends on
 * @param managerReachable whether a new plan can be expected
 */
record JobParts(
    LatestPlan board,
    BatchReader reader,
    JobMeter meter,
    Tally tally,
    UpcomingItems.Start ahead,
    Runnable news,
    BooleanSupplier managerReachable) {}
