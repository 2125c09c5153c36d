package io.quiver.benchmarks.demo.transparent;

import java.util.Locale;

/**
 * The programs that read at once, and the part of the bucket that each reads. Names and sizes
 * follow workloads of the IGTCache paper (Table 3) at the scale of a laptop.
 */
public enum Reader {
  /** A pass over many files in the order of their names. */
  SCAN("scan of a corpus (cat)", "corpus", 1200, 80_000),
  /** Epochs over images in class folders, each in a new order. */
  TRAINING("training epochs (Python)", "images", 3000, 30_000),
  /** Look-ups of tables, some far more popular than others. */
  QUERIES("skewed queries (boto3)", "tables", 240, 256_000),
  /** One station's file of every day: a slice through all folders (IGTCache, Figure 7). */
  SLICE("slice through folders (cat)", "weather", 1800, 50_000);

  static final int CLASSES = 30;
  static final int STATIONS = 6;

  private final String title;
  private final String folder;
  private final int files;
  private final int fileBytes;

  Reader(String title, String folder, int files, int fileBytes) {
    this.title = title;
    this.folder = folder;
    this.files = files;
    this.fileBytes = fileBytes;
  }

  /** Returns the title for people. */
  public String title() {
    return title;
  }

  /** Returns the word for documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the folder of its part of the bucket. */
  String folder() {
    return folder;
  }

  /** Returns the number of files in its part, at a scale. */
  int files(double scale) {
    int unit =
        switch (this) {
          case TRAINING -> CLASSES;
          case SLICE -> STATIONS;
          case SCAN, QUERIES -> 1;
        };
    return Math.max(1, (int) Math.round(files * scale / unit)) * unit;
  }

  /** Returns the mean length of a file. */
  int fileBytes() {
    return fileBytes;
  }

  /** Returns the name of a file below its folder; names sort as numbers count. */
  String name(int file, double scale) {
    return switch (this) {
      case SCAN -> String.format(Locale.ROOT, "part-%05d.txt", file);
      case TRAINING ->
          String.format(Locale.ROOT, "class-%02d/%06d.jpg", file / (files(scale) / CLASSES), file);
      case QUERIES -> String.format(Locale.ROOT, "table-%04d.parquet", file);
      case SLICE ->
          String.format(Locale.ROOT, "day-%04d/station-%02d.csv", file / STATIONS, file % STATIONS);
    };
  }
}
