package io.quiver.node.job;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.ledger.LedgerVerifier;
import io.quiver.core.order.EpochState;
import io.quiver.node.NodeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Finds the start of a job: the beginning, or the point at which its ledgers stopped. Ledgers
 * nobody asked for lie in a folder of their own, which goes with the job.
 */
public final class JobStart implements AutoCloseable {
  private final String name;
  private final LoaderConfig config;
  private final LedgerFiles files;
  private final Optional<Path> passing;

  private JobStart(String name, LoaderConfig config, LedgerFiles files, Optional<Path> passing) {
    this.name = name;
    this.config = config;
    this.files = files;
    this.passing = passing;
  }

  /** Returns a job whose ledgers are read at the end of each epoch and then forgotten. */
  public static JobStart withoutLedger(LoaderConfig config) throws IOException {
    Path folder = Files.createTempDirectory("quiver-job");
    return new JobStart(
        config.job(), config, LedgerFiles.at(folder.resolve("ledger")), Optional.of(folder));
  }

  /** Returns a job that leaves a ledger; none may be there. */
  public static JobStart anew(LoaderConfig config, Path ledger) throws IOException, NodeException {
    LedgerFiles files = LedgerFiles.at(ledger);
    if (!files.earlier().isEmpty()) {
      throw new NodeException(
          files.earlier().getFirst()
              + " exists already; continue it with --resume, or name another --ledger");
    }
    return new JobStart(config.job(), config, files, Optional.empty());
  }

  /**
   * Returns a job that goes on, with any number of ranks; where no ledger is, it begins.
   *
   * @param name the name the user insists on; the ledgers' otherwise
   * @param seed the seed the user insists on; the ledgers' otherwise
   */
  public static JobStart resumed(
      LoaderConfig config, Path ledger, Optional<String> name, OptionalLong seed)
      throws IOException, NodeException {
    LedgerFiles files = LedgerFiles.at(ledger);
    Optional<Path> busy = files.beingWritten();
    if (busy.isPresent()) {
      throw new NodeException(
          busy.get() + " is being written by a job that still runs; end that first");
    }
    Optional<ResumePoint> point = ResumePoint.of(files.earlier());
    if (point.isEmpty()) {
      return new JobStart(config.job(), config, files, Optional.empty());
    }
    LedgerHeader header = point.get().header();
    require(
        header.dataset().equals(JobLedger.dataset(config))
            && header.items() == config.digest().itemCount(),
        ledger,
        "of data set " + header.dataset() + " with " + header.items() + " items",
        "give the digest it was begun with");
    require(
        name.isEmpty() || name.get().equals(header.job()),
        ledger,
        "of job " + header.job(),
        "leave --name out");
    require(
        seed.isEmpty() || seed.getAsLong() == header.seed(),
        ledger,
        "of seed " + header.seed(),
        "leave --seed out");
    EpochState next = point.get().next(EpochRun.mayLack(config));
    // The manager may still believe that a run which was killed is there: this one is another.
    LoaderConfig known =
        config
            .withJob(header.job() + ".run" + files.run())
            .withSeed(header.seed())
            .withResume(next);
    return new JobStart(header.job(), known, files, Optional.empty());
  }

  private static void require(boolean fine, Path ledger, String what, String remedy)
      throws NodeException {
    if (!fine) {
      throw new IllegalArgumentException(
          ledger
              + " is the ledger "
              + what
              + "; "
              + remedy
              + ", or begin anew with another --ledger");
    }
  }

  /** Returns the job's name; to the manager, a resumed run has a name of its own. */
  public String name() {
    return name;
  }

  /** Returns the settings of the loader. */
  public LoaderConfig config() {
    return config;
  }

  /** Returns true if all epochs are done already. */
  public boolean isDone() {
    return config.resume().map(EpochState::epoch).orElse(0) >= config.epochs();
  }

  /** Returns where it goes on, if it does. */
  public Optional<EpochState> resume() {
    return config.resume();
  }

  /** Returns true if the ledgers of the runs before prove every epoch they speak of. */
  boolean verifyEarlier() throws IOException {
    List<LedgerReader> readers = new ArrayList<>();
    try {
      for (Path file : files.earlier()) {
        if (Files.size(file) > 0) {
          readers.add(JobLedger.open(file));
        }
      }
      return LedgerVerifier.verify(readers).epochs().stream()
          .allMatch(epoch -> EpochRun.isFine(epoch, config));
    } finally {
      for (LedgerReader reader : readers) {
        reader.close();
      }
    }
  }

  LedgerFiles files() {
    return files;
  }

  /** Returns the path of ledgers that are kept; empty if they are deleted with the job. */
  Optional<Path> kept() {
    return passing.isPresent() ? Optional.empty() : Optional.of(files.base());
  }

  /** Removes what nobody asked for. */
  @Override
  public void close() throws IOException {
    if (passing.isPresent()) {
      try (Stream<Path> left = Files.list(passing.get())) {
        for (Path file : left.toList()) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(passing.get());
    }
  }
}
