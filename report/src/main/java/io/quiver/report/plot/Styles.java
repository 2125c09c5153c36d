package io.quiver.report.plot;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The style sheets that every page and picture carries in itself. */
public final class Styles {
  private static final String FOLDER = "/io/quiver/report/plot/";

  private Styles() {}

  /** Colours and lines of plots, light and dark. */
  public static String plots() {
    return read("report.css");
  }

  /** Returns everything around them. */
  public static String page() {
    return read("page.css");
  }

  private static String read(String name) {
    try (InputStream in = Styles.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + FOLDER + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
