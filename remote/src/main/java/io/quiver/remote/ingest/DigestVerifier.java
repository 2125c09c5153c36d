package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.remote.RemoteStore;
import java.util.List;
import java.util.OptionalInt;

/** Reads a data set's items from its store again and compares them with the digest. */
public final class DigestVerifier {
  private DigestVerifier() {}

  /**
   * Settings of a verification.
   *
   * @param sample the number of items to check, spread evenly over the data set; empty for all
   * @param seed decides which items a sample takes
   * @param workers the number of concurrent reads; 0 for a number that suits the store
   * @param maxFindings the most findings kept; all are counted
   */
  public record Options(OptionalInt sample, long seed, int workers, int maxFindings) {
    public Options {
      if (sample.isPresent() && sample.getAsInt() < 1) {
        throw new IllegalArgumentException("a sample has at least one item, not " + sample);
      }
      if (workers < 0 || workers > IngestOptions.MAX_WORKERS) {
        throw new IllegalArgumentException("workers must be 0 to 1024, not " + workers);
      }
      if (maxFindings < 1) {
        throw new IllegalArgumentException("keep at least one finding, not " + maxFindings);
      }
    }

    /** Returns settings that check every item. */
    public static Options everything() {
      return new Options(OptionalInt.empty(), 0, 0, 100);
    }

    /** Returns settings that check a sample of items. */
    public static Options sample(int items, long seed) {
      return new Options(OptionalInt.of(items), seed, 0, 100);
    }
  }

  /** The ways in which an item can differ from the digest. */
  public enum Problem {
    /** Other bytes lie there now. */
    CHANGED,
    /** The object is gone or too short. */
    MISSING,
    /** Returns the object could not be read. */
    UNREADABLE
  }

  /**
   * One item that is not as the digest says.
   *
   * @param item its index
   * @param location object and place inside
   */
  public record Finding(int item, String location, Problem problem, String detail) {}

  /**
   * The result of a verification.
   *
   * @param findings the first of them by item
   */
  public record Report(
      long itemsChecked,
      long bytesChecked,
      long changed,
      long missing,
      long unreadable,
      List<Finding> findings) {
    public Report {
      findings = List.copyOf(findings);
    }

    /** Returns true if everything checked is as the digest says. */
    public boolean clean() {
      return changed + missing + unreadable == 0;
    }
  }

  /** Checks the items, in parallel, and reports those that differ. */
  public static Report verify(
      DatasetDigest digest, RemoteStore store, Options options, DigestProgress progress)
      throws InterruptedException {
    return new VerifyRun(digest, store, options, progress).run();
  }
}
