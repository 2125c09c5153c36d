package io.quiver.benchmarks.reproduce;

import io.quiver.report.plot.Markup;
import io.quiver.report.plot.Page;

/** A reproduction as a page with plots. */
public final class ReproductionPage {
  private ReproductionPage() {}

  /** Returns the page. */
  public static String of(Reproduction result) {
    Markup page = Page.open(result.title());
    page.add("<h1>%s</h1>", result.title());
    page.add("<p class=\"lead\">%s</p>", result.lead());
    Page.table(page, result.table().rows());
    result.notes().forEach(note -> page.add("<p>%s</p>", note));
    for (Reproduction.Picture picture : result.pictures()) {
      page.add("<h2>%s</h2>", picture.heading());
      page.add("<p>%s</p>", picture.caption());
      page.add("<figure>").include(picture.svg()).include(picture.keys()).add("</figure>");
    }
    return Page.close(page);
  }
}
