package io.quiver.cli.command;

import io.quiver.cli.command.SimulationPage.SimulationTable;
import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import io.quiver.cli.console.Progress;
import io.quiver.report.Paint;
import io.quiver.report.plot.Figures;
import io.quiver.simulator.BatchCount;
import io.quiver.simulator.Simulation;
import io.quiver.simulator.result.SimulationDocument;
import io.quiver.simulator.result.SimulationResult;
import io.quiver.simulator.scenario.Scenario;
import io.quiver.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lets time pass for a cluster that need not exist. */
@Command(
    name = "simulate",
    subcommands = {SimulateShadeCommand.class, SimulateIgtCommand.class},
    description = {
      "Simulate a cluster in virtual time.",
      "Stores, networks, disks, GPUs, servers and jobs are models that a scenario file"
          + " describes; planner, samplers and manager are those that run live. One file and"
          + " seed always give the same run."
    },
    footer = {
      "  quiver simulate examples/scenarios/four-jobs.yaml",
      "  quiver simulate examples/scenarios/four-jobs.yaml --seed 7 --report four-jobs.html",
      "  quiver simulate my-cluster.yaml --json | jq '.jobs[] | {name, seconds, stall}'",
      "",
      "Scenario files are explained in docs/simulator.md. With --json: {\"scenario\":"
          + " name, \"seed\": n,",
      "\"seconds\": n, \"store_bytes\": n, \"plans\": n, \"events\": n, \"log_hash\":"
          + " hex, \"violations\": [text…],",
      "\"jobs\": [{\"name\": …, \"gpus\": n, \"start_s\": n, \"seconds\": n,"
          + " \"batches\": n, \"hit_ratio\": n, \"stall\":",
      "n, \"store_bytes\": n, \"killed\": bool}…]}. Ends with 1 if a promise was"
          + " broken: an item lost or",
      "doubled, a server overfull, a read lost."
    })
public final class SimulateCommand extends Action {
  private static final int LOOK_EVERY = 256;

  @Parameters(paramLabel = "<scenario-file>", arity = "0..1", description = "File of the scenario.")
  private @Nullable Path file;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Seed of everything random (default: the scenario's).")
  private @Nullable Long seed;

  @Option(names = "--report", paramLabel = "<file>", description = "File for a page with plots.")
  private @Nullable Path report;

  @Override
  ExitCode run(Output output) throws IOException, CommandFailure {
    Scenario scenario = read();
    @Nullable ReportFile page = report == null ? null : ReportFile.of(report);
    SimulationResult result = simulate(scenario, output);
    SimulationDocument document = SimulationDocument.of(result);
    if (page != null) {
      page.write(SimulationPage.of(result));
    }
    if (output.json()) {
      output.document(document);
    } else {
      tell(document, page, output);
    }
    return document.violations().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private Scenario read() throws CommandFailure {
    if (file == null || !Files.isRegularFile(file)) {
      String problem = file == null ? "name a scenario file" : "there is no scenario file " + file;
      throw new CommandFailure(ExitCode.USAGE, problem + "; see docs/simulator.md for one");
    }
    try {
      return Scenario.read(file);
    } catch (ScenarioException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private SimulationResult simulate(Scenario scenario, Output output) {
    try (Progress progress = output.progress("simulating", Progress.Unit.ITEMS)) {
      progress.total(BatchCount.expected(scenario));
      return Simulation.run(
          scenario,
          seed == null ? scenario.seed() : seed,
          List.of(new BatchCount(batches -> show(batches, progress))));
    }
  }

  private static void show(long batches, Progress progress) {
    if (batches % LOOK_EVERY == 0) {
      progress.update(batches);
    }
  }

  private static void tell(SimulationDocument result, @Nullable ReportFile page, Output output) {
    Paint paint = output.console().outPaint();
    output.line(
        result.scenario()
            + ": "
            + Figures.seconds(result.seconds())
            + " of virtual time, "
            + Figures.count(result.events())
            + " events, seed "
            + result.seed());
    output.line("");
    SimulationTable.of(result).lines(paint).forEach(output::line);
    if (SimulationTable.leftOut(result) > 0) {
      output.line("… and " + SimulationTable.leftOut(result) + " more; see --json");
    }
    if (page != null) {
      output.line("");
      output.line("report   " + paint.name(page.toString()));
    }
    result.violations().forEach(each -> output.warning("broken promise: " + each));
  }
}
