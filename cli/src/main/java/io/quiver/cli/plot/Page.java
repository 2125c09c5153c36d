package io.quiver.cli.plot;

/** A page in one file that needs no network, readable in light and dark. */
public final class Page {
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

  /** Ends it. */
  public static String close(Markup page) {
    return page.add("</main></body></html>").toString();
  }
}
