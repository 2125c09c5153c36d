package io.quiver.cli.command;

import io.quiver.report.ByteSize;
import io.quiver.report.Table;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LinePlot;
import io.quiver.report.plot.Markup;
import io.quiver.report.plot.Page;
import io.quiver.report.plot.Series;
import io.quiver.report.plot.SpanPlot;
import io.quiver.simulator.result.SimulationDocument;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import io.quiver.simulator.result.SimulationResult.TimelineSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** A simulation as a page with plots. */
public final class SimulationPage {
  private static final double GIGA = 1e9;
  private static final int MOST_SPANS = 4000;

  private final SimulationResult result;

  private SimulationPage(SimulationResult result) {
    this.result = result;
  }

  /** The page of a result. */
  public static String of(SimulationResult result) {
    return new SimulationPage(result).write();
  }

  private String write() {
    Markup page = Page.open(result.scenario());
    page.add("<h1>%s</h1>", result.scenario());
    page.add(
        "<p class=\"lead\">%s jobs, simulated with seed %s: %s of virtual time.</p>",
        result.jobs().size(), result.seed(), Figures.seconds(result.seconds()));
    Page.table(page, SimulationTable.of(SimulationDocument.of(result)).rows());
    line(
        page,
        "progress",
        "Progress of all jobs together",
        "thousand mini-batches",
        sample -> sample.batches() / 1000.0);
    line(page, "store", "Bytes read from stores", "GB", sample -> sample.storeBytes() / GIGA);
    line(page, "cached", "Bytes in the cache", "GB", sample -> sample.cachedBytes() / GIGA);
    residency(page);
    return Page.close(page);
  }

  private void line(
      Markup page, String id, String title, String unit, ToDoubleFunction<TimelineSample> value) {
    List<Series.Point> points = new ArrayList<>();
    result
        .timeline()
        .forEach(each -> points.add(new Series.Point(each.seconds(), value.applyAsDouble(each))));
    page.add("<h2>%s</h2><figure>", title)
        .include(
            new LinePlot(
                    id,
                    title,
                    title + " over time.",
                    "seconds",
                    unit,
                    240,
                    result.seconds(),
                    List.of(new Series(title, "quiver", points)))
                .svg())
        .add("</figure>");
  }

  private void residency(Markup page) {
    Map<String, List<ChunkResidency>> datasets =
        result.residencies().stream()
            .collect(
                Collectors.groupingBy(ChunkResidency::dataset, TreeMap::new, Collectors.toList()));
    datasets.forEach((dataset, chunks) -> {
      if (chunks.size() <= MOST_SPANS) {
        page.add("<h2>Chunks of %s in the cache</h2><figure>", dataset)
            .include(plot(dataset, chunks))
            .include(
                Legend.boxes(
                    List.of(
                        new Legend.Entry("pinned", "pinned"),
                        new Legend.Entry("active", "rotating"))))
            .add("</figure>");
      }
    });
  }

  private String plot(String dataset, List<ChunkResidency> chunks) {
    int rows = chunks.stream().mapToInt(ChunkResidency::chunk).max().orElse(0) + 1;
    return new SpanPlot(
            "residency-" + dataset.replaceAll("[^A-Za-z0-9]", "-"),
            "Chunks of " + dataset + " in the cache over time",
            "Each row is a chunk.",
            "chunk",
            rows,
            result.seconds(),
            chunks.stream()
                .map(each ->
                    new SpanPlot.Span(
                        each.chunk(),
                        each.rotating() ? "active" : "pinned",
                        each.fromSeconds(),
                        each.toSeconds()))
                .toList())
        .svg();
  }

  /** A simulation's jobs as people read them in a terminal. */
  public static final class SimulationTable {
    private static final int MOST_ROWS = 40;

    private SimulationTable() {}

    /** One row for each job; of very many, the first. */
    public static Table of(SimulationDocument result) {
      Table table =
          new Table("job", "GPUs", "start", "time", "batches", "hits", "stall", "from store");
      List<SimulationDocument.Job> jobs = result.jobs();
      for (SimulationDocument.Job job : jobs.subList(0, Math.min(MOST_ROWS, jobs.size()))) {
        table.row(
            job.name() + (job.killed() ? " (killed)" : ""),
            "" + job.gpus(),
            Figures.seconds(job.startSeconds()),
            Figures.seconds(job.seconds()),
            Figures.count(job.batches()),
            Figures.percent(job.hitRatio()),
            Figures.percent(job.stall()),
            ByteSize.show(job.storeBytes()));
      }
      return table;
    }

    /** Returns the number of jobs that the table leaves out. */
    public static int leftOut(SimulationDocument result) {
      return Math.max(0, result.jobs().size() - MOST_ROWS);
    }
  }
}
