package io.quiver.report.plot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A page in one file that needs no network, readable in light and dark. */
public final class Page {
  /** Cells of more characters than this are text, which may break into lines. */
  private static final int LONG_CELL = 20;

  private static final String FOLDER = "/io/quiver/report/plot/";

  private Page() {}

  /** Begins a page; what is added to it is its text. */
  public static Markup open(String title) {
    return new Markup()
        .add("<!doctype html>")
        .add("<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .add("<title>%s</title>", title)
        .add("<style>")
        .include(plotStyles())
        .include(read("page.css"))
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

  /** Returns the style sheet of plots, light and dark, which every page and picture carries. */
  public static String plotStyles() {
    return read("report.css");
  }

  private static String read(String name) {
    try (InputStream in = Page.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + FOLDER + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
