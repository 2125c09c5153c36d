package io.quiver.benchmarks.reproduce;

import io.quiver.report.Table;
import java.util.List;

/**
 * The result of an experiment, ready to be shown.
 *
 * @param title what was run
 * @param lead what it is about, for those who do not know the paper
 * @param table the figures, the published ones beside ours
 * @param notes what has to be said about them
 * @param pictures the plots
 * @param document the same for scripts
 * @param good whether everything promised was kept in every run
 */
public record Reproduction(
    String title,
    String lead,
    Table table,
    List<String> notes,
    List<Picture> pictures,
    Object document,
    boolean good) {
  /** Keeps its own copies. */
  public Reproduction {
    notes = List.copyOf(notes);
    pictures = List.copyOf(pictures);
  }

  /**
   * A plot.
   *
   * @param heading what it shows
   * @param caption how to read it
   * @param svg the picture
   * @param keys what its colours stand for
   */
  public record Picture(String heading, String caption, String svg, String keys) {}
}
