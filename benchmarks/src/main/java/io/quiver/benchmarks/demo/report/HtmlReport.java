package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.run.DemoJobResult;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.report.ByteSize;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
import io.quiver.report.plot.LegendEntry;
import io.quiver.report.plot.Markup;
import io.quiver.report.plot.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page with plots: one file that needs no network, readable in light and dark. */
public final class HtmlReport {
  private final DemoResult result;
  private final DemoScenario scenario;
  private final Plots plots;
  private final Markup page = Page.open("Quiver demo");

  private HtmlReport(DemoResult result) {
    this.result = result;
    this.scenario = result.scenario();
    this.plots = new Plots(result);
  }

  /** Returns the page of a result. */
  public static String of(DemoResult result) {
    return new HtmlReport(result).write();
  }

  private String write() {
    opening();
    runs();
    explanation();
    progress();
    residency();
    bytes();
    findings();
    randomness();
    jobs();
    return Page.close(page);
  }

  private void opening() {
    page.add("<h1>%s</h1>", headline());
    page.add(
        "<p class=\"lead\">%s training jobs read the same data set (%s items, %s), %s epochs each, from a"
            + " store that gives all of them together %s/s. The cache holds %s %% of the data.</p>",
        scenario.jobs(),
        Figures.count(result.items()),
        ByteSize.show(result.bytes()),
        scenario.epochs(),
        ByteSize.show(scenario.storeBytesPerSecond()),
        Figures.plain(100 * scenario.cacheFraction()));
  }

  private String headline() {
    Optional<RunResult> quiver = result.run(DemoMode.QUIVER);
    Optional<RunResult> none = result.run(DemoMode.NONE);
    if (quiver.isEmpty() || none.isEmpty()) {
      return scenario.jobs() + " jobs, one store";
    }
    return String.format(
        Locale.ROOT,
        "%.1f times faster with a cache of %s %% of the data",
        none.get().seconds() / quiver.get().seconds(),
        Figures.plain(100 * scenario.cacheFraction()));
  }

  private void runs() {
    page.add(
            "<div class=\"wide\"><table><caption>Every run began with an empty cache, except the one"
                + " in which everything is cached, the yardstick.</caption><thead><tr>")
        .add(
            "<th scope=\"col\">cache</th><th scope=\"col\">time</th><th scope=\"col\">speed-up</th>")
        .add(
            "<th scope=\"col\">reads per item and epoch</th><th scope=\"col\">duplicate reads</th>")
        .add("<th scope=\"col\">hits</th><th scope=\"col\">stall</th>")
        .add("<th scope=\"col\">exactly once</th></tr></thead><tbody>");
    for (RunResult run : result.runs()) {
      page.add(
          "<tr class=\"%s\"><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>",
          run.mode() == DemoMode.QUIVER ? "strong" : "plain",
          run.mode().title(),
          Figures.seconds(run.seconds()),
          Figures.times(result.slowestSeconds() / run.seconds()),
          Figures.ratio(run.readsPerItemEpoch()),
          Figures.percent(run.duplicateFetches()),
          Figures.percent(run.hitRatio()),
          Figures.percent(run.stall()));
      verdict(run.exactlyOnce(), "yes", "NO");
      page.add("</tr>");
    }
    page.add("</tbody></table></div>");
  }

  private void verdict(boolean good, String yes, String no) {
    page.add("<td class=\"%s\">%s</td>", good ? "good" : "bad", good ? yes : no);
  }

  private void explanation() {
    double c = scenario.cacheFraction();
    page.add("<h2>What happens here</h2>")
        .add(
            "<p>A training job reads every sample once per epoch, in random order. That order is poison"
                + " for an ordinary cache: by the time a sample comes round again, it has been pushed out."
                + " For one job, least-recently-used with room for %s of the data hits only %s of the"
                + " time.</p>",
            Figures.percent(c), Figures.percent(DemoFindings.lruLaw(c)))
        .add(
            "<p>But training does not care <em>which</em> random order it gets. Quiver divides the data"
                + " set into chunks that are random samples of it, keeps some of them for good and lets a few"
                + " rotate through the rest of the room. Every job draws its batches from what is in the"
                + " cache just now, while all jobs together bring in the next chunk, each item fetched by"
                + " one of them. So the store is read about once per item and epoch for all jobs, not once"
                + " for each, and nobody waits.</p>");
  }

  private void progress() {
    page.add("<h2>Progress of each job</h2>")
        .add(
            "<p>Each line is a job: the share of its samples it has worked on. Steeper is faster. All"
                + " plots have the same scale of time.</p>");
    for (RunResult run : result.runs()) {
      page.add("<h3>%s</h3><figure>", run.mode().title())
          .include(plots.progress(run))
          .include(Legend.lines(jobKeys(run)))
          .add("</figure>");
    }
  }

  private static List<LegendEntry> jobKeys(RunResult run) {
    List<LegendEntry> keys = new ArrayList<>();
    for (int i = 0; i < run.jobs().size(); i++) {
      keys.add(new LegendEntry("job" + i % 6, Plots.label(run.jobs().get(i))));
    }
    return keys;
  }

  private void residency() {
    Optional<RunResult> run = result.run(DemoMode.QUIVER).filter(r -> !r.residency().isEmpty());
    if (run.isEmpty()) {
      return;
    }
    page.add("<h2>What Quiver’s cache held</h2>")
        .add(
            "<p>Each row is a chunk of the data set. Pinned chunks stay. The others take turns: a chunk"
                + " is loaded while its predecessor is being read, is read by all jobs, and makes room when"
                + " the jobs that set the pace have read it.</p>")
        .add("<figure>")
        .include(new ResidencyPlot(run.get().residency(), run.get().seconds()).svg())
        .include(
            Legend.boxes(
                List.of(
                    new LegendEntry("loading", "being loaded"),
                    new LegendEntry("pinned", "pinned"),
                    new LegendEntry("active", "rotating, being read"),
                    new LegendEntry("marked", "rotating, about to leave"))))
        .add("</figure>");
  }

  private void bytes() {
    page.add("<h2>Bytes from the store</h2>")
        .add(
            "<p>The link to the store carries %s/s for all jobs together; that is the steepest a line"
                + " can be.</p><figure>",
            ByteSize.show(scenario.storeBytesPerSecond()))
        .include(plots.storeBytes())
        .include(
            Legend.lines(
                result.runs().stream()
                    .map(run -> new LegendEntry(run.mode().word(), run.mode().title()))
                    .toList()))
        .add("</figure>");
  }

  private void findings() {
    page.add("<h2>Against what was to be expected</h2>")
        .add(
            "<p>With c = %s of the data in the cache and w = %s of it rotating, all jobs together need"
                + " 1 − c + w = %s reads per item and epoch. At that rate the store’s link is busy %s of the"
                + " time when no job waits%s. What stays in the cache has to be read once: the first"
                + " epoch is dearer by that much.</p>",
            Figures.ratio(scenario.cacheFraction()),
            Figures.ratio(result.windowFraction()),
            Figures.ratio(1 - scenario.cacheFraction() + result.windowFraction()),
            Figures.percent(result.storeLoad()),
            result.storeLoad() <= DemoFindings.FREE_LOAD
                ? ""
                : ", which is more than it can be: some waiting is unavoidable")
        .add("<div class=\"wide\"><table><thead><tr><th scope=\"col\">figure</th>")
        .add(
            "<th scope=\"col\">measured</th><th scope=\"col\">target</th><th scope=\"col\">met</th>")
        .add("</tr></thead><tbody>");
    for (DemoFinding finding : DemoFindings.of(result)) {
      page.add(
          "<tr><td class=\"text\">%s</td><td>%s</td><td>%s</td>",
          finding.what(), Figures.ratio(finding.measured()), finding.target());
      verdict(finding.met(), "yes", "no");
      page.add("</tr>");
    }
    page.add("</tbody></table></div>");
  }

  private void randomness() {
    if (result.randomness().isEmpty()) {
      return;
    }
    page.add("<h2>Is the order still random?</h2>")
        .add(
            "<p>The order job-1 was given in Quiver’s run, beside what a shuffle of the whole data"
                + " set gives on average. Chunks are stripes across the data set, so each is a small copy"
                + " of the whole. Smaller chunks need less room, but their items meet each other more often."
                + "</p>")
        .add("<div class=\"wide\"><table><thead><tr><th scope=\"col\">measure</th>")
        .add("<th scope=\"col\">when</th><th scope=\"col\">measured</th>")
        .add("<th scope=\"col\">global shuffle</th></tr></thead><tbody>");
    for (OrderQuality quality : result.randomness()) {
      page.add(
          "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>",
          quality.measure(),
          quality.order(),
          Figures.large(quality.value()),
          Figures.large(quality.shuffled()));
    }
    page.add("</tbody></table></div>");
  }

  private void jobs() {
    page.add("<h2>Every job</h2><div class=\"wide\"><table><thead><tr><th scope=\"col\">cache</th>")
        .add("<th scope=\"col\">job</th><th scope=\"col\">time</th><th scope=\"col\">waited</th>")
        .add("<th scope=\"col\">hits</th><th scope=\"col\">read from the store</th>")
        .add("<th scope=\"col\">its ledger says</th></tr></thead><tbody>");
    for (RunResult run : result.runs()) {
      for (DemoJobResult job : run.jobs()) {
        page.add(
            "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>",
            run.mode().title(),
            Plots.label(job),
            Figures.seconds(job.seconds()),
            Figures.seconds(job.waitSeconds()),
            Figures.percent(job.items() == 0 ? 0 : (double) job.hits() / job.items()),
            Figures.count(job.storeReads()),
            job.verdict());
      }
    }
    page.add("</tbody></table></div>");
  }
}
