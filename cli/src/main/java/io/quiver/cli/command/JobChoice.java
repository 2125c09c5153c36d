package io.quiver.cli.command;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.client.loader.LoaderConfig.OnMismatch;
import io.quiver.client.loader.StoreReads;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.SamplerKind;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a training job. */
final class JobChoice {
  private static final int MAX_BATCH = 1_000_000;
  private static final int MAX_GPUS = 100_000;
  private static final int MAX_RANKS = 1024;
  private static final int MAX_WORKERS = 4096;
  private static final double MAX_COMPUTE_MS = 3_600_000;

  @Option(
      names = "--name",
      paramLabel = "<name>",
      description =
          "Name of the job; something is added to it while another job has it (default:"
              + " job-<host>-<random>).")
  private @Nullable String name;

  @Option(
      names = "--batch",
      paramLabel = "<n>",
      defaultValue = "64",
      description = "Items of one rank's batch (default: ${DEFAULT-VALUE}).")
  private int batch;

  @Option(
      names = "--epochs",
      paramLabel = "<n>",
      defaultValue = "1",
      description = "Number of epochs (default: ${DEFAULT-VALUE}).")
  private int epochs;

  @Option(
      names = "--compute-ms",
      paramLabel = "<ms>",
      defaultValue = "50",
      description = "Milliseconds that a GPU would work on a batch (default: ${DEFAULT-VALUE}).")
  private double computeMs;

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      defaultValue = "16",
      description =
          "Concurrent reads from the store; up to half of them preload chunks for all jobs"
              + " (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--ranks",
      paramLabel = "<n>",
      defaultValue = "1",
      description =
          "Number of ranks, which share each epoch and step together (default:"
              + " ${DEFAULT-VALUE}).")
  private int ranks;

  @Option(
      names = "--gpus",
      paramLabel = "<n>",
      defaultValue = "0",
      description =
          "Number of GPUs that wait when the job waits, for the planner (default: one for"
              + " each rank).")
  private int gpus;

  @Option(
      names = "--user",
      paramLabel = "<name>",
      description = "User that the job belongs to, for quotas (default: the user who starts it).")
  private @Nullable String user;

  @Option(
      names = "--sampler",
      paramLabel = "<kind>",
      defaultValue = "substitute",
      description =
          "Order of an epoch: substitute draws cached items first, strict is one seeded"
              + " shuffle, paper is Algorithm 1 of the Quiver paper (default: ${DEFAULT-VALUE}).")
  private String sampler;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Seed of every order (default: 0, or the seed of the ledger with --resume).")
  private @Nullable Long seed;

  @Option(
      names = "--uneven",
      paramLabel = "<how>",
      defaultValue = "keep",
      description =
          "Rule for ranks that cannot share an epoch evenly: keep gives some ranks one item"
              + " more, pad repeats items, drop leaves items out (default: ${DEFAULT-VALUE}).")
  private String uneven;

  @Option(
      names = "--homogeneous",
      description =
          "Make batches of items that lie close together in the data set; not with --sampler"
              + " strict.")
  private boolean homogeneous;

  @Option(
      names = "--on-mismatch",
      paramLabel = "<how>",
      defaultValue = "refuse",
      description =
          "Rule for an item that differs from the digest: refuse ends the job, serve"
              + " delivers the item with a warning (default: ${DEFAULT-VALUE}).")
  private String onMismatch;

  /** The plain job with everything chosen here. */
  LoaderConfig apply(LoaderConfig plain) {
    require(batch >= 1 && batch <= MAX_BATCH, "--batch " + batch, "1 to " + MAX_BATCH);
    require(epochs >= 1, "--epochs " + epochs, "at least 1");
    require(ranks >= 1 && ranks <= MAX_RANKS, "--ranks " + ranks, "1 to " + MAX_RANKS);
    require(gpus >= 0 && gpus <= MAX_GPUS, "--gpus " + gpus, "1 to " + MAX_GPUS);
    require(workers >= 1 && workers <= MAX_WORKERS, "--workers " + workers, "1 to " + MAX_WORKERS);
    return plain
        .withBatch(batch)
        .withEpochs(epochs)
        .withRanks(0, ranks, ranks)
        .withGpus(gpus)
        .withUser(user == null ? plain.user() : user)
        .withReads(new StoreReads(workers, Math.max(1, workers / 2)))
        .withSampler(kind())
        .withSeed(seed().orElse(0))
        .withEqualSteps(equalSteps())
        .withHomogeneous(homogeneous)
        .withOnMismatch(mismatch());
  }

  private SamplerKind kind() {
    try {
      return SamplerKind.parse(sampler.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--sampler: " + e.getMessage(), e);
    }
  }

  private EqualSteps equalSteps() {
    return switch (uneven.toLowerCase(Locale.ROOT)) {
      case "keep" -> EqualSteps.OFF;
      case "pad" -> EqualSteps.PAD;
      case "drop" -> EqualSteps.DROP;
      default ->
          throw new IllegalArgumentException(
              "--uneven " + uneven + " is not known; use keep, pad or drop");
    };
  }

  private OnMismatch mismatch() {
    return switch (onMismatch.toLowerCase(Locale.ROOT)) {
      case "refuse" -> OnMismatch.REFUSE;
      case "serve" -> OnMismatch.SERVE;
      default ->
          throw new IllegalArgumentException(
              "--on-mismatch " + onMismatch + " is not known; use refuse or serve");
    };
  }

  /** Returns the time one rank works on a batch. */
  Duration compute() {
    require(
        computeMs >= 0 && computeMs <= MAX_COMPUTE_MS,
        "--compute-ms " + computeMs,
        "0 to " + (long) MAX_COMPUTE_MS);
    return Duration.ofNanos(Math.round(computeMs * 1e6));
  }

  /** The name the user insists on. */
  Optional<String> name() {
    return Optional.ofNullable(name);
  }

  /** The seed the user insists on. */
  OptionalLong seed() {
    return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
  }

  private static void require(boolean fine, String what, String remedy) {
    if (!fine) {
      throw new IllegalArgumentException(what + " makes no sense; use " + remedy);
    }
  }
}
