package io.quiver.node.job;

import io.quiver.client.loader.Batch;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.ledger.EpochReport;
import io.quiver.core.ledger.LedgerBatch;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.core.ledger.LedgerVerifier;
import io.quiver.core.ledger.LedgerWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The ledger one rank writes while it runs, and what it proves afterwards. Every batch has left the
 * process when {@link #delivered} returns: killing the process loses none. The file is locked while
 * it is written, so that nobody goes on with a job that still runs.
 */
public final class JobLedger implements AutoCloseable {
  private final LedgerWriter writer;
  private final FileLock lock;
  private int epoch = -1;
  private long step;

  /** Begins a ledger in this file, in place of what may be there. */
  public JobLedger(Path file, LedgerHeader header) throws IOException {
    // Not by a channel, which an interrupt would close in the middle of a batch.
    FileOutputStream out = new FileOutputStream(file.toFile());
    try {
      lock = out.getChannel().lock();
      writer = new LedgerWriter(new BufferedOutputStream(out), header);
      writer.flush();
    } catch (IOException | RuntimeException e) {
      out.close();
      throw e;
    }
  }

  /** Returns true if a process that runs is writing this ledger. */
  static boolean isBeingWritten(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock free = channel.tryLock()) {
      return free == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  /** Returns the header of a rank's ledger. */
  public static LedgerHeader header(String job, LoaderConfig config, int rank) {
    return new LedgerHeader(
        job,
        dataset(config),
        config.digest().itemCount(),
        config.seed(),
        config.sampler(),
        rank,
        config.ranks());
  }

  /** Returns how ledgers name a data set: not by its whole identity, which is a secret. */
  public static String dataset(LoaderConfig config) {
    return config.digest().identity().toHex().substring(0, 8);
  }

  /** Notes a batch that was delivered. */
  public void delivered(Batch batch) throws IOException {
    step = batch.epoch() == epoch ? step + 1 : 0;
    epoch = batch.epoch();
    writer.append(entry(batch, step));
    writer.flush();
  }

  /** Padding comes last in a ledger. */
  private static LedgerBatch entry(Batch batch, long step) {
    int[] items = new int[batch.size()];
    int own = 0;
    int padding = 0;
    for (int place = 0; place < items.length; place++) {
      if (batch.isPadding(place)) {
        items[items.length - ++padding] = batch.item(place);
      } else {
        items[own++] = batch.item(place);
      }
    }
    return new LedgerBatch(batch.epoch(), step, items, padding);
  }

  @Override
  public void close() throws IOException {
    if (lock.isValid()) {
      lock.release();
    }
    writer.close();
  }

  /** Reads a ledger back from disk and judges it. */
  public static LedgerReport verify(Path file) throws IOException {
    try (LedgerReader reader = open(file)) {
      return LedgerVerifier.verify(List.of(reader));
    }
  }

  /** Returns a ledger on disk, at its first batch. */
  static LedgerReader open(Path file) throws IOException {
    BufferedInputStream in = new BufferedInputStream(Files.newInputStream(file));
    try {
      return new LedgerReader(in);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }

  /** Returns true if a report proves so many whole epochs. */
  public static boolean proves(LedgerReport report, int epochs) {
    return report.torn() == 0 && report.exactlyOnce() && report.epochs().size() == epochs;
  }

  /** Returns the report in one line. */
  public static String words(LedgerReport report, int epochs) {
    if (proves(report, epochs)) {
      return report.items() + " items exactly once in each of " + epochs + " epochs";
    }
    for (EpochReport each : report.epochs()) {
      if (!each.exactlyOnce()) {
        return words(each);
      }
    }
    return report.epochs().size() + " of " + epochs + " epochs";
  }

  /** Returns a description of an epoch's problem in one line. */
  static String words(EpochReport epoch) {
    return "epoch "
        + epoch.epoch()
        + ": "
        + epoch.missing()
        + " items missing, "
        + epoch.doubled()
        + " doubled";
  }
}
