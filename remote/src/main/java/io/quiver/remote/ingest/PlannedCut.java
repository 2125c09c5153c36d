package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;

/**
 * One piece of work: an object, or a slice of one.
 *
 * @param object what is cut
 * @param bytes how many of the object's bytes this piece stands for in the progress
 * @param last whether no further slice of the object follows
 * @param whole whether the object is one item, labelled by its folder
 * @param reused whether the rows come from an earlier run
 */
record PlannedCut(
    RemoteObject object, Cut cut, long bytes, boolean last, boolean whole, boolean reused) {}
