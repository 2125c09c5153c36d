package io.quiver.benchmarks.demo.transparent;

import io.quiver.report.ByteSize;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import java.util.ArrayList;
import java.util.List;

/** The result as rows of text, for a terminal and for the page. */
public final class TransparentTable {
  private TransparentTable() {}

  /** Returns a row of headings and one for each run. */
  static List<List<String>> rows(TransparentResult result) {
    List<String> headings = new ArrayList<>(List.of("cache"));
    for (Reader reader : Reader.values()) {
      headings.add(reader.word());
    }
    headings.addAll(List.of("all together", "speed-up", "from the store", "requests"));
    List<List<String>> rows = new ArrayList<>(List.of(headings));
    result.runs().forEach(run -> rows.add(row(result, run)));
    return rows;
  }

  private static List<String> row(TransparentResult result, TransparentResult.Run run) {
    List<String> row = new ArrayList<>(List.of(run.mode().title()));
    for (Reader reader : Reader.values()) {
      row.add(Figures.seconds(run.seconds(reader)));
    }
    row.addAll(
        List.of(
            Figures.seconds(run.totalSeconds()),
            Figures.times(result.speedUp(run)),
            ByteSize.show(run.storeBytes()),
            Figures.count(run.storeReads())));
    return row;
  }

  /** Returns the table of a result. */
  public static Table of(TransparentResult result) {
    List<List<String>> rows = rows(result);
    Table table = new Table(rows.getFirst().toArray(String[]::new));
    rows.subList(1, rows.size()).forEach(row -> table.row(row.toArray(String[]::new)));
    return table;
  }
}
