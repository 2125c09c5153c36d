package io.quiver.gateway.s3;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.DoorStatistics;
import io.quiver.gateway.door.stream.StreamCounts;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/** Writes what the doors' recognition of streams counts, all doors together; names no path. */
final class StreamMetrics {
  private StreamMetrics() {}

  /** Adds the samples to a text. */
  static void add(StringBuilder text, Collection<? extends Door> doors) {
    List<DoorStatistics> all = doors.stream().map(Door::statistics).toList();
    List<StreamCounts> counts = all.stream().map(DoorStatistics::streams).toList();
    Samples samples = new Samples(text, counts);
    samples.counter("stream_records_total", "Reads learned from.", StreamCounts::records);
    samples.counter(
        "stream_dropped_total",
        "Reads and listings not learned from: the queue was full.",
        StreamCounts::dropped);
    samples.counter(
        "stream_failures_total",
        "Records and advices not followed because of a defect.",
        StreamCounts::failures);
    samples.gauge("stream_nodes", "Nodes of the trees of streams.", StreamCounts::nodes);
    samples.gauge("stream_tree_bytes", "Bytes of these trees.", StreamCounts::treeBytes);
    samples.gauge(
        "stream_listing_bytes", "Bytes of the listings they know.", StreamCounts::listingBytes);
    samples.counter(
        "prefetch_begun_total", "Blocks read ahead of a program.", each -> each.prefetch().begun());
    samples.counter(
        "prefetch_used_total", "Blocks of these that were read.", each -> each.prefetch().used());
    samples.counter(
        "prefetch_filled_total",
        "Blocks read to fill the cache.",
        each -> each.prefetch().filled());
    samples.counter(
        "prefetch_held_total", "Blocks advised that were at hand.", each -> each.prefetch().held());
    samples.counter(
        "prefetch_failed_total",
        "Blocks advised that could not be read.",
        each -> each.prefetch().failed());
    samples.counter(
        "prefetch_dropped_total",
        "Blocks advised without memory or an idle store.",
        each -> each.prefetch().dropped());
    GatewayMetrics.sample(
        text,
        "ahead_unused_blocks_total",
        "counter",
        "Blocks read ahead that left the memory unread.",
        all.stream().mapToLong(each -> each.blocks().aheadUnused()).sum());
    GatewayMetrics.sample(
        text,
        "ahead_unused_bytes_total",
        "counter",
        "Bytes of these.",
        all.stream().mapToLong(each -> each.blocks().aheadUnusedBytes()).sum());
  }

  private record Samples(StringBuilder text, List<StreamCounts> counts) {
    void counter(String name, String help, ToLongFunction<StreamCounts> figure) {
      GatewayMetrics.sample(text, name, "counter", help, counts.stream().mapToLong(figure).sum());
    }

    void gauge(String name, String help, ToLongFunction<StreamCounts> figure) {
      GatewayMetrics.sample(text, name, "gauge", help, counts.stream().mapToLong(figure).sum());
    }
  }
}
