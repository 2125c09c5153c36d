package io.quiver.client.loader;

import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.order.ListState;

/**
 * The state of a job that reads by importance, from which any number of ranks can go on.
 *
 * @param lists its scores and lists
 * @param progress what all ranks have delivered of the epoch's list
 */
public record ImportanceState(ImportanceLists.Saved lists, ListState progress) {}
