package io.quiver.benchmarks.demo.report;

import io.quiver.benchmarks.demo.report.DemoFindings.DemoFinding;
import io.quiver.benchmarks.demo.report.DemoResult.OrderQuality;
import io.quiver.benchmarks.demo.run.DemoJobResult;
import io.quiver.benchmarks.demo.run.DemoMode;
import io.quiver.benchmarks.demo.run.DemoScenario;
import io.quiver.benchmarks.demo.run.RunResult;
import io.quiver.report.ByteSize;
import io.quiver.report.plot.Figures;
import io.quiver.report.plot.Legend;
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
        "<p class=\"lead\">%s training jobs read one data set (%s items, %s) for %s epochs"
            + " each, from a store that gives all jobs together %s/s. The cache has %s %% of the"
            + " size of the data.</p>",
        scenario.jobs(),
        Figures.count(result.items()),
        ByteSize.show(result.bytes()),
        scenario.epochs(),
        ByteSize.show(scenario.store().bytesPerSecond()),
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
            "<div class=\"wide\"><table><caption>Every run began with an empty cache, except"
                + " the best case, in which everything is cached.</caption><thead><tr>")
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
            "<p>A training job reads every item once per epoch, in random order. That order"
                + " defeats an ordinary cache: an item is evicted before it is read again. For one"
                + " job, a least-recently-used cache of %s of the data has a hit ratio of only"
                + " %s.</p>",
            Figures.percent(c), Figures.percent(DemoFindings.lruLaw(c)))
        .add(
            "<p>Training needs a random order, but not a particular one. Quiver divides the"
                + " data set into chunks that are samples of the whole, pins some of them and lets a"
                + " few rotate through the rest of the cache. Every job draws its batches from the"
                + " cached chunks, while all jobs together load the next chunk and fetch each item"
                + " once. The store is then read about once per item and epoch for all jobs"
                + " together, and no job waits for it.</p>");
  }

  private void progress() {
    page.add("<h2>Progress of each job</h2>")
        .add(
            "<p>Each line is a job: the share of its items that it has worked on. Steeper is"
                + " faster. All plots have the same time axis.</p>");
    for (RunResult run : result.runs()) {
      page.add("<h3>%s</h3><figure>", run.mode().title())
          .include(plots.progress(run))
          .include(Legend.lines(jobKeys(run)))
          .add("</figure>");
    }
  }

  private static List<Legend.Entry> jobKeys(RunResult run) {
    List<Legend.Entry> keys = new ArrayList<>();
    for (int i = 0; i < run.jobs().size(); i++) {
      keys.add(new Legend.Entry("job" + i % 6, Plots.label(run.jobs().get(i))));
    }
    return keys;
  }

  private void residency() {
    Optional<RunResult> run =
        result.run(DemoMode.QUIVER).filter(r -> !r.recording().residency().isEmpty());
    if (run.isEmpty()) {
      return;
    }
    page.add("<h2>Chunks in Quiver’s cache</h2>")
        .add(
            "<p>Each row is a chunk of the data set. Pinned chunks stay. The others rotate: a"
                + " chunk is loaded while its predecessor is read, is read by all jobs, and is"
                + " evicted when the leaders have read it.</p>")
        .add("<figure>")
        .include(new ResidencyPlot(run.get().recording().residency(), run.get().seconds()).svg())
        .include(
            Legend.boxes(
                List.of(
                    new Legend.Entry("loading", "being loaded"),
                    new Legend.Entry("pinned", "pinned"),
                    new Legend.Entry("active", "rotating, being read"),
                    new Legend.Entry("marked", "rotating, to be evicted"))))
        .add("</figure>");
  }

  private void bytes() {
    page.add("<h2>Bytes from the store</h2>")
        .add(
            "<p>The store gives all jobs together %s/s, which bounds the slope of a"
                + " line.</p><figure>",
            ByteSize.show(scenario.store().bytesPerSecond()))
        .include(plots.storeBytes())
        .include(
            Legend.lines(
                result.runs().stream()
                    .map(run -> new Legend.Entry(run.mode().word(), run.mode().title()))
                    .toList()))
        .add("</figure>");
  }

  private void findings() {
    page.add("<h2>Measured and expected</h2>")
        .add(
            "<p>With c = %s of the data in the cache and w = %s of it rotating, all jobs"
                + " together need 1 − c + w = %s reads per item and epoch. If no job waits, these"
                + " reads use %s of the store’s bandwidth%s. Pinned data is read once more, in the"
                + " first epoch.</p>",
            Figures.ratio(scenario.cacheFraction()),
            Figures.ratio(result.windowFraction()),
            Figures.ratio(1 - scenario.cacheFraction() + result.windowFraction()),
            Figures.percent(result.storeLoad()),
            result.storeLoad() <= DemoFindings.FREE_LOAD
                ? ""
                : ", which is more than it has: some waiting is unavoidable")
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
            "<p>The order that job-1 got in Quiver’s run, beside the mean of a shuffle of the"
                + " whole data set. Chunks are stripes, so each is a sample of the whole. Smaller"
                + " chunks need a smaller cache, but their items meet each other in a batch more"
                + " often.</p>")
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
        .add("<th scope=\"col\">ledger</th></tr></thead><tbody>");
    for (RunResult run : result.runs()) {
      for (DemoJobResult job : run.jobs()) {
        page.add(
            "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>",
            run.mode().title(),
            Plots.label(job),
            Figures.seconds(job.seconds()),
            Figures.seconds(job.times().waited()),
            Figures.percent(job.statistics().delivered().hitRatio()),
            Figures.count(job.statistics().store().reads()),
            job.verdict());
      }
    }
    page.add("</tbody></table></div>");
  }
}
