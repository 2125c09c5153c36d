package io.quiver.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns: the first column to the left, all others to the right. */
public final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these headings. */
  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row with as many cells as there are headings. */
  public Table row(String... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          cells.length + " cells under " + rows.getFirst().size() + " headings");
    }
    rows.add(List.of(cells));
    return this;
  }

  /** Returns the cells, headings first. */
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  /** Returns the lines, headings first. */
  public List<String> lines(Paint paint) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      String line = line(row, widths);
      lines.add(lines.isEmpty() ? paint.faint(line) : line);
    }
    return lines;
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      String cell = row.get(column);
      String padding = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? cell + padding : "   " + padding + cell);
    }
    return line.toString().stripTrailing();
  }
}
