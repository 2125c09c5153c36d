package io.quiver.store;

import io.quiver.core.space.SpaceId;

/**
 * What one space holds.
 *
 * @param space its name
 * @param limitBytes its bound, or {@link Long#MAX_VALUE} without one
 * @param chargedBytes the room it is charged for; a blob of several spaces is charged to one of
 *     them
 * @param blobs how many blobs it owns, alone or with others
 */
public record SpaceUsage(SpaceId space, long limitBytes, long chargedBytes, long blobs) {}
