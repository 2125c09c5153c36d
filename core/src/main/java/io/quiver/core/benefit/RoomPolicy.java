package io.quiver.core.benefit;

import java.util.List;

/** How the room of a cluster is divided among data sets. One final class for each way. */
public sealed interface RoomPolicy permits MarginalRoom, GreedyRoom, EqualRoom {
  /**
   * Bytes for each data set, in the order of the demands; together at most the room.
   *
   * @param before what each has now, in the same order: a policy leaves it so unless another
   *     division is clearly better, so that chunks do not come and go; empty for nothing
   */
  long[] divide(List<DatasetDemand> demands, Room room, long[] before);
}
