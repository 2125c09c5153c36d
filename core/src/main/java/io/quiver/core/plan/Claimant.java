package io.quiver.core.plan;

import io.quiver.core.benefit.DatasetDemand;

/**
 * A data set that is read, when capacity is divided.
 *
 * @param dataset which one
 * @param demand what capacity is worth to it
 * @param measured whether that is known
 * @param before what it had of the capacity
 */
record Claimant(DatasetKey dataset, DatasetDemand demand, boolean measured, Share before) {}
