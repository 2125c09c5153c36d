package io.quiver.cli.command;

import io.quiver.benchmarks.demo.Demo;
import io.quiver.benchmarks.demo.DemoOptions;
import io.quiver.benchmarks.demo.report.DemoDocument;
import io.quiver.benchmarks.demo.report.DemoResult;
import io.quiver.benchmarks.demo.report.DemoTable;
import io.quiver.benchmarks.demo.report.HtmlReport;
import io.quiver.benchmarks.demo.report.Picture;
import io.quiver.benchmarks.demo.transparent.TransparentDemo;
import io.quiver.benchmarks.demo.transparent.TransparentDocument;
import io.quiver.benchmarks.demo.transparent.TransparentOptions;
import io.quiver.benchmarks.demo.transparent.TransparentPage;
import io.quiver.benchmarks.demo.transparent.TransparentResult;
import io.quiver.benchmarks.demo.transparent.TransparentTable;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.report.Paint;
import java.nio.file.Files;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows on one machine what the cache is for. */
@Command(
    name = "demo",
    description = {
      "Show in two minutes what the cache does.",
      "Runs the same training jobs without a cache, with a plain shared cache and with"
          + " Quiver, and writes a report with plots. It makes a data set, reads it through a"
          + " slowed store and needs nothing but this machine."
    },
    footer = {
      "  quiver demo",
      "  quiver demo --cache-fraction 0.5 --jobs 7",
      "  quiver demo --speeds 1,1.3,2,3 --stagger-s 2 --modes quiver,all-cached",
      "  quiver demo --digest train.qdg --store-mbps 100 --epoch-s 60",
      "  quiver demo --transparent                       # programs that nobody changes",
      "  quiver demo --json | jq '.runs[] | {mode, seconds, reads_per_item_epoch}'",
      "",
      "With --json: {\"cache_fraction\": n, \"window_fraction\": n, \"jobs\": n,"
          + " \"epochs\": n, \"report\": path,",
      "\"runs\": [{\"mode\": \"none\"|\"lru\"|\"pinned\"|\"quiver\"|\"all-cached\", \"seconds\":"
          + " n, \"reads_per_item_epoch\": n,",
      "\"duplicate_fetches\": n, \"hit_ratio\": n, \"stall\": n, \"exactly_once\":"
          + " bool, …}…], …};",
      "duplicate_fetches, hit_ratio and stall are shares from 0 to 1. Ends with 1 if"
          + " any sample was lost",
      "or doubled.",
      "With --transparent --json: {\"cache_fraction\": n, \"bytes\": n, \"report\": path,"
          + " \"speed_up_over_lru\": n,",
      "\"slowest_over_none\": n, \"runs\": [{\"mode\": \"none\"|\"lru\"|\"streams\","
          + " \"seconds\": n, \"total_seconds\": n,",
      "\"store_bytes\": n, \"readers\": [{\"reader\", \"seconds\"}…], \"streams\":"
          + " [{label, pattern, evidence, …}…]}…]}"
    })
public final class DemoCommand extends Action {
  @Mixin private final DemoChoice choice = new DemoChoice();

  @Override
  ExitCode run(Output output) throws Exception {
    return choice.isTransparent() ? runTransparent(output) : runJobs(output);
  }

  private ExitCode runTransparent(Output output) throws Exception {
    TransparentOptions options = choice.transparentOptions(output.console());
    Files.createDirectories(options.folder());
    ReportFile report = ReportFile.of(choice.report(output.console()));
    TransparentResult result;
    try (TransparentDisplay display = new TransparentDisplay(output)) {
      result = new TransparentDemo(options, display).run();
    }
    report.write(TransparentPage.of(result));
    if (output.json()) {
      output.document(TransparentDocument.of(result, report.path().toString()));
    } else {
      Paint paint = output.console().outPaint();
      output.line("");
      TransparentTable.of(result).lines(paint).forEach(output::line);
      output.line("");
      output.line("report   " + paint.name(report.toString()));
    }
    return ExitCode.OK;
  }

  private ExitCode runJobs(Output output) throws Exception {
    DemoOptions options = choice.options(output.console());
    Files.createDirectories(options.folder());
    ReportFile report = ReportFile.of(options.report());
    DemoResult result = run(options, output);
    report.write(HtmlReport.of(result));
    if (options.plot().isPresent()) {
      Files.writeString(options.plot().get(), Picture.samples(result));
    }
    if (output.json()) {
      output.document(DemoDocument.of(result, report.path().toString()));
    } else {
      tell(result, report, output);
    }
    return result.exactlyOnce() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static DemoResult run(DemoOptions options, Output output) throws Exception {
    try (DemoDisplay display = new DemoDisplay(output)) {
      return new Demo(options, display).run();
    }
  }

  private static void tell(DemoResult result, ReportFile report, Output output) {
    Paint paint = output.console().outPaint();
    output.line("");
    DemoTable.of(result).lines(paint).forEach(output::line);
    output.line("");
    output.line("report   " + paint.name(report.toString()));
    if (!result.exactlyOnce()) {
      output.warning("some samples were lost or doubled; the report says which job's");
    }
  }
}
