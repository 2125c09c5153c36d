package io.quiver.benchmarks.demo.transparent;

import io.quiver.report.ByteSize;
import io.quiver.report.plot.BarPlot;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Markup;
import io.quiver.report.plot.Page;
import io.quiver.report.plot.Series;
import java.util.ArrayList;
import java.util.List;

/** The page with plots: one file that needs no network. */
public final class TransparentPage {
  private static final double MEGA = 1e6;

  private final TransparentResult result;
  private final TransparentFindings findings;
  private final Markup page = Page.open("Quiver demo: programs nobody changes");

  private TransparentPage(TransparentResult result) {
    this.result = result;
    this.findings = new TransparentFindings(result);
  }

  /** Returns the page of a result. */
  public static String of(TransparentResult result) {
    return new TransparentPage(result).write();
  }

  private String write() {
    opening();
    times();
    storeBytes();
    streams();
    return Page.close(page);
  }

  private void opening() {
    page.add("<h1>%s</h1>", headline());
    page.add(
        "<p class=\"lead\">Four programs that know nothing of a cache read one bucket at once:"
            + " <code>cat</code> and Python through a mount, boto3 through an S3 endpoint. The"
            + " bucket holds %s; the line to it gives all programs together %s/s after %s ms of"
            + " latency. The cache has %s %% of the size of the data.</p>",
        ByteSize.show(result.bytes()),
        ByteSize.show(result.options().storeBytesPerSecond()),
        result.options().storeLatency().toMillis(),
        Figures.plain(100 * result.options().cacheFraction()));
    Page.table(page, TransparentTable.rows(result));
  }

  private String headline() {
    double gain = findings.speedUpOverLru();
    return gain == 0
        ? "Four programs, one bucket"
        : Figures.times(gain) + " as fast as a plain shared cache, with no program changed";
  }

  private void times() {
    List<BarPlot.Group> groups = new ArrayList<>();
    for (Reader reader : Reader.values()) {
      groups.add(
          new BarPlot.Group(
              reader.title().replace(" (", ", ("),
              result.runs().stream()
                  .map(run ->
                      new BarPlot.Bar(run.mode().style(), run.mode().title(), run.seconds(reader)))
                  .toList()));
    }
    page.add("<h2>Time of each program</h2>")
        .add(
            "<p>The scan reads every file of a folder once: its next files are brought ahead,"
                + " and none goes into the cache. The training reads all images in a new order per"
                + " epoch: a fixed part stays in the cache. The queries prefer some tables: the"
                + " popular ones stay. The slice reads one file of each day’s folder: only that"
                + " file of the next days is brought ahead.</p><figure>")
        .include(
            new BarPlot(
                    "times",
                    "Seconds until each program ended",
                    "One group for each program, one bar for each cache.",
                    "program",
                    "seconds",
                    groups)
                .svg())
        .include(Legend.boxes(keys()))
        .add("</figure>");
  }

  private List<Legend.Entry> keys() {
    return result.runs().stream()
        .map(run -> new Legend.Entry(run.mode().style(), run.mode().title()))
        .toList();
  }

  private void storeBytes() {
    double seconds =
        result.runs().stream().mapToDouble(TransparentResult.Run::seconds).max().orElse(1);
    List<Series> lines = new ArrayList<>();
    for (TransparentResult.Run run : result.runs()) {
      List<Series.Point> points = new ArrayList<>(List.of(new Series.Point(0, 0)));
      run.moments()
          .forEach(moment ->
              points.add(
                  new Series.Point(
                      Math.min(moment.seconds(), run.seconds()), moment.storeBytes() / MEGA)));
      lines.add(new Series(run.mode().title(), run.mode().style(), points));
    }
    page.add("<h2>Bytes from the store</h2><figure>")
        .include(
            new LinePlot(
                    "bytes",
                    "Data read from the store, all programs together",
                    "Where a line ends, the last program is done.",
                    "seconds",
                    "MB from the store",
                    300,
                    1.02 * seconds,
                    lines)
                .svg())
        .include(Legend.lines(keys()))
        .add("</figure>");
  }

  private void streams() {
    List<TransparentResult.Stream> known =
        result.run(TransparentMode.STREAMS).map(TransparentResult.Run::streams).orElse(List.of());
    if (known.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("stream", "pattern", "recognised by", "at most in the cache", "why"));
    for (TransparentResult.Stream stream : known) {
      rows.add(
          List.of(
              stream.label(),
              stream.pattern(),
              stream.evidence().replace('_', ' '),
              ByteSize.show(stream.quotaBytes()),
              stream.why()));
    }
    page.add("<h2>What was recognised</h2>")
        .add(
            "<p>As <code>quiver streams</code> showed it when each stream was last" + " read.</p>");
    Page.table(page, rows);
  }
}
