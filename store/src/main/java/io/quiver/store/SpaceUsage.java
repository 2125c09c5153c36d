package io.quiver.store;

import io.quiver.core.space.SpaceId;

/**
 * The occupancy of one space.
 *
 * @param space its name
 * @param limitBytes its bound, or {@link Long#MAX_VALUE} without one
 * @param chargedBytes the bytes charged to it; a blob of several spaces is charged to one of them
 * @param blobs how many blobs it owns, alone or with others
 */
public record SpaceUsage(SpaceId space, long limitBytes, long chargedBytes, long blobs) {}
