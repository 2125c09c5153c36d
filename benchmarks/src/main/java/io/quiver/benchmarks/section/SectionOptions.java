package io.quiver.benchmarks.section;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings for measuring a section.
 *
 * @param quick less data and shorter slices
 * @param limit how long the section may take, preparation included
 * @param directory where a temporary folder for all data is made; the disk that is measured
 * @param seed decides the blobs and the order they are read in
 */
public record SectionOptions(boolean quick, Duration limit, Path directory, long seed) {

  /** Returns settings of half a minute at most, in the system's folder for temporary files. */
  public static SectionOptions ofQuick(boolean quick) {
    return new SectionOptions(
        quick,
        Duration.ofSeconds(quick ? 30 : 90),
        Path.of(System.getProperty("java.io.tmpdir")),
        1);
  }

  /** Returns another bound on the whole section. */
  public SectionOptions withLimit(Duration other) {
    return new SectionOptions(quick, other, directory, seed);
  }

  /** Returns a copy with another folder for the data. */
  public SectionOptions withDirectory(Path other) {
    return new SectionOptions(quick, limit, other, seed);
  }
}
