package io.quiver.cli.command;

import io.quiver.benchmarks.doors.DoorsBenchmark;
import io.quiver.benchmarks.doors.DoorsRow;
import io.quiver.benchmarks.section.SectionOptions;
import io.quiver.cli.console.ExitCode;
import io.quiver.cli.console.Output;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the doors for unmodified programs. */
@Command(
    name = "doors",
    description = {
      "Measure reads through the S3 endpoint and the mount, beside peers.",
      "Signed GETs stand beside versitygw and nginx where they are installed, warm files beside a"
          + " mount that does nothing but answer from memory, cold ones beside the store alone."
          + " Needs fuse3 and a C compiler."
    },
    footer = {
      "  quiver bench doors --quick",
      "  quiver bench doors --json | jq '.[] | .quiver / .peer'",
      "",
      "With --json: [{\"door\": \"s3\" or \"mount\", \"work\": text, \"quiver\": n, \"peer\": n,"
          + " \"peer_name\": text,",
      "\"unit\": text, \"cpu_s_per_gb\": n}…]; more is better; GB are 10^9 bytes; a peer that is"
          + " not installed is null."
    })
public final class BenchDoorsCommand extends Action {
  @Option(names = "--quick", description = "Measure less data in fewer rounds.")
  private boolean quick;

  @Option(
      names = "--dir",
      paramLabel = "<folder>",
      description = "Folder for the mounts of the run (default: the folder for temporary files).")
  private @Nullable Path directory;

  @Override
  ExitCode run(Output output) throws Exception {
    SectionOptions options = SectionOptions.ofQuick(quick);
    options = directory == null ? options : options.withDirectory(directory);
    List<DoorsRow> rows;
    try (BenchProgress progress = BenchProgress.on(output)) {
      rows = DoorsBenchmark.run(options, progress);
    }
    output.line(output.json() ? DoorsRow.json(rows) : DoorsRow.table(rows).stripTrailing());
    return ExitCode.OK;
  }
}
