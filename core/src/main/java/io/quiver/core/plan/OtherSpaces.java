package io.quiver.core.plan;

import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.stream.StreamOrder;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The orders of the spaces of a plan that are no chunks of data sets.
 *
 * @param shared takes whatever jobs miss; null where the plan says chunk by chunk what is held
 * @param doors shared by all doors; null while there is none
 * @param scores for columns of scores; null while nobody shares any
 * @param ranked ranked by jobs that read by importance, by data set
 * @param streams of unmodified programs, with what was decided about each, by hashed name
 */
record OtherSpaces(
    @Nullable SpaceOrder shared,
    @Nullable SpaceOrder doors,
    @Nullable SpaceOrder scores,
    SortedMap<DatasetKey, SpaceOrder> ranked,
    SortedMap<String, StreamOrder> streams) {
  /** Keeps views: nobody changes what is handed over. */
  OtherSpaces {
    ranked = Collections.unmodifiableSortedMap(ranked);
    streams = Collections.unmodifiableSortedMap(streams);
  }

  /** Returns the orders of a plan that holds no chunk. */
  static OtherSpaces withoutChunks(@Nullable SpaceOrder shared, @Nullable SpaceOrder scores) {
    return new OtherSpaces(shared, null, scores, new TreeMap<>(), new TreeMap<>());
  }

  /** Returns a copy without the ranked spaces of these data sets. */
  OtherSpaces without(Set<DatasetKey> forgotten) {
    SortedMap<DatasetKey, SpaceOrder> others = new TreeMap<>(ranked);
    others.keySet().removeAll(forgotten);
    return new OtherSpaces(shared, doors, scores, others, streams);
  }

  /** Returns all orders. */
  Stream<SpaceOrder> orders() {
    return Stream.of(
            Stream.of(shared, doors, scores).flatMap(Stream::ofNullable),
            ranked.values().stream(),
            streams.values().stream().map(StreamOrder::spaceOrder).flatMap(Stream::ofNullable))
        .flatMap(orders -> orders);
  }

  /** Returns true if nobody would see a difference. */
  boolean showsSame(OtherSpaces other) {
    return Objects.equals(shared, other.shared)
        && Objects.equals(doors, other.doors)
        && Objects.equals(scores, other.scores)
        && ranked.equals(other.ranked)
        && streams.keySet().equals(other.streams.keySet())
        && streams.values().stream()
            .allMatch(each -> each.showsSame(other.streams.getOrDefault(each.key(), each)));
  }
}
