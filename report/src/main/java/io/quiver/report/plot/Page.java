package io.quiver.report.plot;

import java.util.List;

/** A page in one file that needs no network, readable in light and dark. */
public final class Page {
  /** Cells of more characters than this are text, which may break into lines. */
  private static final int LONG_CELL = 20;

  private Page() {}

  /** Begins a page; what is added to it is its text. */
  public static Markup open(String title) {
    return new Markup()
        .add("<!doctype html>")
        .add("<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .add("<title>%s</title>", title)
        .add("<style>")
        .include(Styles.plots())
        .include(Styles.page())
        .add("</style></head><body><main>");
  }

  /** Adds a table; the first row is its headings. */
  public static void table(Markup page, List<List<String>> rows) {
    page.add("<div class=\"wide\"><table><thead><tr>");
    rows.getFirst().forEach(cell -> page.add("<th scope=\"col\">%s</th>", cell));
    page.add("</tr></thead><tbody>");
    for (List<String> row : rows.subList(1, rows.size())) {
      page.add("<tr>");
      row.forEach(cell ->
          page.add(cell.length() > LONG_CELL ? "<td class=\"long\">%s</td>" : "<td>%s</td>", cell));
      page.add("</tr>");
    }
    page.add("</tbody></table></div>");
  }

  /** Ends it. */
  public static String close(Markup page) {
    return page.add("</main></body></html>").toString();
  }
}
