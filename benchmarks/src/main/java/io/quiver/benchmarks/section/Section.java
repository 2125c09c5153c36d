package io.quiver.benchmarks.section;

import java.util.Locale;

/** The measurements besides warm serving, each a command of its own. */
public enum Section {
  /** Batch reads with empty caches against direct random reads of the disk. */
  COLD("Batch reads with empty caches, beside fio's direct random reads"),
  /** Verified inserts against the slower of hashing and writing. */
  PUT("Verified inserts, beside the slower of SHA-256 and sequential writes"),
  /** Making a digest of local files against sha256sum. */
  DIGEST("Digest creation over local files, beside sha256sum"),
  /** Memory and time of the in-memory index at ten million blobs. */
  INDEX("Memory, time and heap of the index at ten million blobs"),
  /** Single reads under half load. */
  LATENCY("Latency of single reads under half of the full load"),
  /** Measures the time of a plan in a large cluster. */
  PLAN("Time of a plan for 1,000 servers, 10,000 jobs and 1,000 data sets"),
  /** Measures what recognising streams costs a door. */
  STREAMS("Time and memory of a tree of 10,000 access streams");

  private final String description;

  Section(String description) {
    this.description = description;
  }

  /** Returns one line for a help text. */
  public String description() {
    return description;
  }

  /** Returns the name of the command, for example {@code cold}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
