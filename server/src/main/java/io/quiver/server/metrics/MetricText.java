package io.quiver.server.metrics;

/** Writes metrics in Prometheus' text format. */
final class MetricText {
  private final StringBuilder text = new StringBuilder(16 << 10);

  /** Begins a metric; its samples follow. */
  MetricText family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return this;
  }

  /** Adds a sample; labels are pairs of names and values, which need no escapes. */
  MetricText sample(String name, Number value, String... labels) {
    text.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]);
      text.append("=\"").append(labels[i + 1]).append('"');
    }
    text.append(labels.length == 0 ? " " : "} ").append(value).append('\n');
    return this;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
