package io.quiver.benchmarks.reproduce;

import io.quiver.report.Table;
import io.quiver.report.plot.Markup;
import io.quiver.report.plot.Page;
import java.util.List;
import java.util.stream.Stream;

/**
 * The result of an experiment, ready to be shown.
 *
 * @param title what was run
 * @param lead what it is about, for those who do not know the paper
 * @param table the figures, the published ones beside ours
 * @param notes what has to be said about them, whatever the results are
 * @param observations what the results show or fail to show
 * @param pictures the plots
 * @param document the same for scripts
 */
public record Reproduction(
    String title,
    String lead,
    Table table,
    List<String> notes,
    List<Observation> observations,
    List<Picture> pictures,
    Object document) {
  /** Keeps its own copies. */
  public Reproduction {
    notes = List.copyOf(notes);
    observations = List.copyOf(observations);
    pictures = List.copyOf(pictures);
  }

  /**
   * Something that an experiment is to show, decided by its results.
   *
   * @param claim a sentence with the figures it rests on
   * @param holds whether the results bear it out
   */
  public record Observation(String claim, boolean holds) {
    /** Returns the claim, or that it does not hold. */
    String sentence() {
      return holds ? claim : "NOT SHOWN by this run: " + claim;
    }
  }

  /** Returns true if the results show everything they are to show. */
  public boolean good() {
    return observations.stream().allMatch(Observation::holds);
  }

  /** Returns all that is said about the figures. */
  public List<String> remarks() {
    return Stream.concat(notes.stream(), observations.stream().map(Observation::sentence)).toList();
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

  /** A reproduction as a page with plots. */
  public static final class ReproductionPage {
    private ReproductionPage() {}

    /** Returns the page. */
    public static String of(Reproduction result) {
      Markup page = Page.open(result.title());
      page.add("<h1>%s</h1>", result.title());
      page.add("<p class=\"lead\">%s</p>", result.lead());
      Page.table(page, result.table().rows());
      result.remarks().forEach(note -> page.add("<p>%s</p>", note));
      for (Reproduction.Picture picture : result.pictures()) {
        page.add("<h2>%s</h2>", picture.heading());
        page.add("<p>%s</p>", picture.caption());
        page.add("<figure>").include(picture.svg()).include(picture.keys()).add("</figure>");
      }
      return Page.close(page);
    }
  }
}
