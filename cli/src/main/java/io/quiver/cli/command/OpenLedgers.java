package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import io.quiver.core.ledger.LedgerFormatException;
import io.quiver.core.ledger.LedgerReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Ledgers opened together and closed together. */
final class OpenLedgers implements AutoCloseable {
  private final List<LedgerReader> readers = new ArrayList<>();

  /** Opens them all, or none. */
  static OpenLedgers of(List<Path> files) throws IOException, CommandFailure {
    OpenLedgers ledgers = new OpenLedgers();
    try {
      for (Path file : files) {
        ledgers.readers.add(open(file));
      }
      return ledgers;
    } catch (IOException | CommandFailure | RuntimeException e) {
      ledgers.close();
      throw e;
    }
  }

  /** Returns one ledger, at its first batch. */
  static LedgerReader open(Path file) throws IOException, CommandFailure {
    if (Files.isDirectory(file)) {
      throw new CommandFailure(ExitCode.USAGE, file + " is a folder; name the ledgers in it");
    }
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    try {
      return new LedgerReader(in);
    } catch (IOException | LedgerFormatException e) {
      in.close();
      throw new CommandFailure(ExitCode.FAILED, file + ", " + e.getMessage(), e);
    }
  }

  /** Returns the ledgers of each job, by the job's name. */
  Map<String, List<LedgerReader>> byJob() {
    Map<String, List<LedgerReader>> jobs = new LinkedHashMap<>();
    for (LedgerReader reader : readers) {
      jobs.computeIfAbsent(reader.header().job(), _ -> new ArrayList<>()).add(reader);
    }
    return jobs;
  }

  @Override
  public void close() throws IOException {
    for (LedgerReader reader : readers) {
      reader.close();
    }
  }
}
