package io.quiver.core.plan;

import io.quiver.core.benefit.DatasetDemand;

/**
 * A data set that is read, when room is divided.
 *
 * @param dataset which one
 * @param demand what room is worth to it
 * @param measured whether that is known
 * @param before what it had of the room
 */
record Claimant(DatasetKey dataset, DatasetDemand demand, boolean measured, Share before) {}
