package io.quiver.manager;

import io.quiver.core.plan.review.StreamDiagnosis;
import io.quiver.core.stream.AccessPattern;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Writes what the manager knows of the cluster and of its streams in Prometheus' text format.
 * Streams go by their hashed names: whoever reads metrics need not know paths.
 */
final class ManagerMetrics {
  static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Streams that are told apart; all are counted. */
  private static final int MOST_STREAMS = 256;

  private final StringBuilder text = new StringBuilder(4 << 10);

  private ManagerMetrics() {}

  /** Returns the metrics of a manager at this moment. */
  static String of(CacheManager manager) {
    ManagerMetrics metrics = new ManagerMetrics();
    metrics.one(
        "quiver_plan_version", "Version of the plan that counts.", manager.plan().version());
    metrics.one("quiver_plan_jobs", "Jobs that report.", manager.jobs().size());
    metrics.one("quiver_plan_servers", "Servers that report.", manager.servers().size());
    metrics.one("quiver_plan_doors", "Doors that report.", manager.doors().size());
    metrics.streams(manager.review().streamsWithoutLabels());
    return metrics.text.toString();
  }

  private void streams(List<StreamDiagnosis> streams) {
    Map<AccessPattern, Integer> patterns = new EnumMap<>(AccessPattern.class);
    for (AccessPattern pattern : AccessPattern.values()) {
      patterns.put(pattern, 0);
    }
    streams.forEach(each -> patterns.merge(each.pattern(), 1, Integer::sum));
    family("quiver_plan_streams", "Access streams by pattern.");
    patterns.forEach((pattern, count) ->
        sample("quiver_plan_streams", "{pattern=\"" + pattern.word() + "\"}", count));
    List<StreamDiagnosis> first =
        streams.stream()
            .sorted(
                Comparator.comparingLong(StreamDiagnosis::quotaBytes)
                    .reversed()
                    .thenComparing(StreamDiagnosis::stream))
            .limit(MOST_STREAMS)
            .toList();
    each(first, "quota_bytes", "Most bytes of a stream.", StreamDiagnosis::quotaBytes);
    each(first, "held_bytes", "Bytes that servers hold.", StreamDiagnosis::heldBytes);
    each(first, "bytes", "Bytes of all its data.", StreamDiagnosis::bytes);
    each(
        first,
        "reads_per_second",
        "Blocks that its programs read in a second.",
        each -> each.activity().readsPerSecond());
    each(
        first,
        "store_share",
        "Share of reads that waited for the store.",
        each -> each.activity().storeShare());
    each(
        first,
        "gpus_saved",
        "GPUs saved by what it has; NaN while unknown.",
        each -> each.gpusSaved() == null ? Double.NaN : each.gpusSaved());
    each(
        first,
        "advised_blocks",
        "Blocks advised to be read ahead since its doors started.",
        each -> each.activity().advised());
    each(
        first,
        "used_blocks",
        "Advised blocks that a program has read since.",
        each -> each.activity().used());
  }

  private void each(
      List<StreamDiagnosis> streams,
      String name,
      String help,
      Function<StreamDiagnosis, Number> value) {
    String metric = "quiver_plan_stream_" + name;
    family(metric, help);
    for (StreamDiagnosis stream : streams) {
      String labels =
          String.format(
              Locale.ROOT,
              "{stream=\"%s\",pattern=\"%s\"}",
              stream.stream(),
              stream.pattern().word());
      sample(metric, labels, value.apply(stream));
    }
  }

  private void one(String name, String help, Number value) {
    family(name, help);
    sample(name, "", value);
  }

  private void family(String name, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(" gauge\n");
  }

  private void sample(String name, String labels, Number value) {
    text.append(name).append(labels).append(' ').append(value).append('\n');
  }
}
