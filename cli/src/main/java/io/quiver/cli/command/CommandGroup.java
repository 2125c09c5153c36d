package io.quiver.cli.command;

import io.quiver.cli.console.Console;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups commands under one word, which alone is no command. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footerHeading = CommandGroup.EXAMPLES)
public abstract class CommandGroup implements Callable<Integer> {
  static final String EXAMPLES = "%nExamples:%n";

  @Spec private CommandSpec spec;

  @Override
  public final Integer call() {
    String choice =
        spec.parent() == null ? "" : ": " + String.join(", ", spec.subcommands().keySet());
    throw new ParameterException(
        spec.commandLine(), spec.qualifiedName() + " needs a command" + choice);
  }

  /** Returns the console of the whole tree of commands. */
  static Console console(CommandSpec command) {
    return ((Quiver) command.root().userObject()).console;
  }

  /** The root of all commands. */
  @Command(
      name = "quiver",
      subcommands = {
        DemoCommand.class,
        UpCommand.class,
        JobCommand.class,
        WarmCommand.class,
        MountCommand.class,
        GatewayCommand.class,
        ServerCommand.class,
        PutCommand.class,
        GetCommand.class,
        StatCommand.class,
        JobsCommand.class,
        PlanCommand.class,
        StreamsCommand.class,
        PreferenceCommand.Pin.class,
        PreferenceCommand.Unpin.class,
        PreferenceCommand.Never.class,
        QuotaCommand.class,
        TtlCommand.class,
        CommandGroup.Space.class,
        CommandGroup.Digest.class,
        CommandGroup.Ledger.class,
        SimulateCommand.class,
        ReproduceCommand.class,
        CommandGroup.Bench.class,
        CompletionCommand.class
      },
      description = "A cache that keeps GPUs fed with training data.",
      footer = {
        "  quiver demo                                # see what it is for, in two minutes",
        "  quiver up                                  # a cache on this machine",
        "  quiver put picture.jpg                     # prints the blob's name",
        "  quiver digest create /data/train -o train.qdg",
        "  quiver job --digest train.qdg              # a training job without a GPU",
        "  quiver mount s3://bucket/train /mnt/train  # the bucket as a folder, through the cache",
        "  quiver gateway s3://bucket                 # the bucket as an S3 endpoint, through the"
            + " cache",
        "  quiver COMMAND --help                      # options and examples of a command"
      })
  public static final class Quiver extends CommandGroup {
    private final Console console;

    /** Creates the root for a console, on which all commands print. */
    public Quiver(Console console) {
      this.console = console;
    }
  }

  /** The commands that work on spaces. */
  @Command(
      name = "space",
      subcommands = {SpaceListCommand.class, SpaceDropCommand.class},
      description = "List and drop spaces, the parts of a cache.",
      footer = {"  quiver space list", "  quiver space drop cats"})
  static final class Space extends CommandGroup {}

  /** The commands that work on digests. */
  @Command(
      name = "digest",
      subcommands = {
        DigestCreateCommand.class,
        DigestShowCommand.class,
        DigestVerifyCommand.class,
        DigestDiffCommand.class
      },
      description = {
        "Create, show, verify and compare digests.",
        "A digest is a file that lists the items of a data set, with the hash, size and"
            + " place of each. Keep it private: who knows a hash may read the blob."
      },
      footer = {
        "  quiver digest create /data/train -o train.qdg",
        "  quiver digest show train.qdg",
        "  quiver digest verify train.qdg",
        "  quiver digest diff old.qdg new.qdg"
      })
  static final class Digest extends CommandGroup {}

  /** The commands that work on ledgers. */
  @Command(
      name = "ledger",
      subcommands = {LedgerVerifyCommand.class, LedgerShowCommand.class},
      description = {
        "Verify and show ledgers.",
        "A ledger is a file in which a job records what each of its ranks delivered. It"
            + " proves that every epoch delivered every item exactly once."
      },
      footer = {"  quiver ledger verify job-*.qlg", "  quiver ledger show job-0.qlg"})
  static final class Ledger extends CommandGroup {}

  /** The benchmarks; sections are added to it. */
  @Command(
      name = "bench",
      subcommands = {BenchServeCommand.class, BenchDoorsCommand.class},
      description = {
        "Measure the cache on this machine.",
        "Compares it with other servers and with what disks and network can do. Everything"
            + " runs on this machine and is removed afterwards."
      },
      footer = {"  quiver bench serve --quick", "  quiver bench serve --json"})
  static final class Bench extends CommandGroup {}
}
