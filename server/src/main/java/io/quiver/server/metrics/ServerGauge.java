package io.quiver.server.metrics;

import java.util.Locale;

/** Every plain value of the moment of a cache server, with its meaning in the metrics. */
public enum ServerGauge {
  CONNECTIONS("Connections open now."),
  REQUESTS_IN_FLIGHT("Requests being served now."),
  IN_FLIGHT_BYTES("Bytes of answers and inserts that requests hold now."),
  CONTROL_BYTES("Bytes of questions, plans and heads of inserts that requests hold now."),
  BUFFERS_LENT("Pooled buffers in use by connections now."),
  CLAIMS("Claims that hold now."),
  STORE_CAPACITY_BYTES("Bytes the store may take on its disks."),
  STORE_USED_BYTES("Bytes the store takes on its disks."),
  STORE_LIVE_BYTES("Bytes of the blobs and names in the store."),
  STORE_BLOBS("Blobs in the store."),
  STORE_NAMES("Names in the store that are bound."),
  STORE_CORRUPT_BLOBS("Blobs and names found damaged and dropped since the start."),
  STORE_FAILURES("Reads and writes of disks that failed since the start."),
  STORE_WRITTEN_BYTES("Bytes written since the start, with blobs moved to free space."),
  STORE_WARM_READS("Blobs and names read from the page cache since the start."),
  STORE_COLD_READS("Blobs and names read from a disk since the start.");

  private final String help;

  ServerGauge(String help) {
    this.help = help;
  }

  String metric() {
    return "quiver_" + name().toLowerCase(Locale.ROOT);
  }

  String help() {
    return help;
  }
}
