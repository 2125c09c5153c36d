package io.quiver.remote.ingest;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Settings of {@link DigestBuilder} besides the store and the output.
 *
 * @param kind how items are cut from objects
 * @param labels where the labels of whole-object items come from
 * @param records the shape of records; needed for {@link IngestKind#RECORDS}, unused otherwise
 * @param names the objects that take part
 * @param rules the items that are accepted
 * @param skipUnreadable leave out objects that cannot be read or cut, and count them, instead of
 *     failing
 * @param work how objects are read
 * @param createdBy the program recorded in the digest
 */
public record IngestOptions(
    IngestKind kind,
    LabelSource labels,
    Optional<RecordShape> records,
    Names names,
    ItemRules rules,
    boolean skipUnreadable,
    Work work,
    String createdBy) {

  /** The default bound of an item: what servers accept by default. */
  public static final long MAX_ITEM_BYTES = 256L << 20;

  /** Most workers; more would only queue up at the store. */
  public static final int MAX_WORKERS = 1024;

  public IngestOptions {
    if (kind == IngestKind.RECORDS && records.isEmpty()) {
      throw new IllegalArgumentException("records need a shape: say how many bytes a record has");
    }
  }

  /**
   * Returns the defaults: whole files or shards by extension, labels from folders, strict
   * otherwise.
   */
  public static IngestOptions defaults() {
    return new IngestOptions(
        IngestKind.AUTO,
        LabelSource.DIRECTORY,
        Optional.empty(),
        new Names(List.of(), List.of()),
        new ItemRules(MAX_ITEM_BYTES, EmptyItems.REFUSE),
        false,
        new Work(0, Duration.ofSeconds(5)),
        "quiver");
  }

  /** Returns a copy that cuts items this way. */
  public IngestOptions withKind(IngestKind value) {
    return new IngestOptions(value, labels, records, names, rules, skipUnreadable, work, createdBy);
  }

  /** Returns a copy for fixed-size records of this shape. */
  public IngestOptions withRecords(RecordShape shape) {
    Optional<RecordShape> records = Optional.of(shape);
    return new IngestOptions(
        IngestKind.RECORDS, labels, records, names, rules, skipUnreadable, work, createdBy);
  }

  /** Returns a copy that takes labels from this source. */
  public IngestOptions withLabels(LabelSource value) {
    return new IngestOptions(kind, value, records, names, rules, skipUnreadable, work, createdBy);
  }

  /** Returns a copy that reads the objects these globs choose. */
  public IngestOptions withNames(List<String> included, List<String> excluded) {
    Names names = new Names(included, excluded);
    return new IngestOptions(kind, labels, records, names, rules, skipUnreadable, work, createdBy);
  }

  /** Returns a copy with these rules for items that are too large, empty or unreadable. */
  public IngestOptions withRules(long maxBytes, EmptyItems empty, boolean skip) {
    ItemRules rules = new ItemRules(maxBytes, empty);
    return new IngestOptions(kind, labels, records, names, rules, skip, work, createdBy);
  }

  /** Returns a copy with this many workers and this long between checkpoints. */
  public IngestOptions withWork(int workers, Duration checkpointEvery) {
    Work work = new Work(workers, checkpointEvery);
    return new IngestOptions(kind, labels, records, names, rules, skipUnreadable, work, createdBy);
  }

  /** Returns a copy that records this program as the writer. */
  public IngestOptions withCreatedBy(String program) {
    return new IngestOptions(kind, labels, records, names, rules, skipUnreadable, work, program);
  }

  /**
   * The objects that take part. A glob without {@code /} is matched against the last part of the
   * name, others against the whole name.
   *
   * @param include globs of objects to read; none stands for all
   * @param exclude globs of objects to leave out
   */
  public record Names(List<String> include, List<String> exclude) {
    public Names {
      include = List.copyOf(include);
      exclude = List.copyOf(exclude);
    }
  }

  /**
   * The way objects are read.
   *
   * @param workers the number of objects read concurrently; 0 for a number that suits the store
   * @param checkpointEvery the most work lost when the process is killed
   */
  public record Work(int workers, Duration checkpointEvery) {
    public Work {
      if (workers < 0 || workers > MAX_WORKERS) {
        throw new IllegalArgumentException("workers must be 0 to 1024, not " + workers);
      }
      if (checkpointEvery.isNegative()) {
        throw new IllegalArgumentException("the time between checkpoints cannot be negative");
      }
    }

    int workersFor(String uri) {
      if (workers > 0) {
        return workers;
      }
      int cores = Runtime.getRuntime().availableProcessors();
      return uri.startsWith("file:") ? cores : Math.max(16, 4 * cores);
    }
  }

  /**
   * Rules that decide which items are accepted.
   *
   * @param maxItemBytes larger ones are refused
   * @param emptyItems what to do with those of zero bytes
   */
  public record ItemRules(long maxItemBytes, EmptyItems emptyItems) {
    public ItemRules {
      if (maxItemBytes < 1) {
        throw new IllegalArgumentException("the largest item must be positive: " + maxItemBytes);
      }
    }

    /** Returns true if an item of this size is accepted, false if an empty one is skipped. */
    boolean admits(long size, String location) throws IngestException {
      if (size > maxItemBytes) {
        throw new IngestException(
            "'%s' has %d bytes, the limit is %d; raise the limit here and at the servers, or exclude it"
                .formatted(location, size, maxItemBytes));
      }
      if (size == 0 && emptyItems == EmptyItems.REFUSE) {
        throw new IngestException(
            "'%s' has zero bytes; fetch it again if the download broke, or keep or skip empty items"
                .formatted(location));
      }
      return size > 0 || emptyItems == EmptyItems.KEEP;
    }
  }

  /** The choices for items of zero bytes, which are mostly broken downloads and sometimes meant. */
  public enum EmptyItems {
    /** Fail, naming the first one. */
    REFUSE,
    /** Leave them out and count them. */
    SKIP,
    /** Make them items like any other. */
    KEEP
  }

  /** The source of the items' labels. */
  public enum LabelSource {
    /**
     * Whole objects from the first folder below the root, as torchvision's ImageFolder does:
     * classes are numbered in the order of their names. Objects outside any folder get no label;
     * without any folder the digest has no labels at all. Records have the labels that their files
     * hold.
     */
    DIRECTORY,
    /** Items have no labels. */
    NONE;

    /** Returns the word for this value on the command line and in a digest's metadata. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The ways to cut items from the objects of a store. */
  public enum IngestKind {
    /** By name: {@code .tar} as tar, idx files as idx, everything else as files. */
    AUTO,
    /** Each object is one item. */
    FILES,
    /** Each regular member of an uncompressed tar archive is one item (WebDataset shards). */
    TAR,
    /** Each element of the first dimension of an idx file is one item (MNIST and its kin). */
    IDX,
    /** Each record of a fixed number of bytes is one item (CIFAR and its kin). */
    RECORDS;

    /** Returns the word for this value on the command line and in a digest's metadata. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The shape of objects made of fixed-size records.
   *
   * @param headerBytes bytes before the first record
   * @param recordBytes bytes of one record, label included
   * @param labelOffset where in a record its one-byte label is, or {@link #NO_LABEL}
   */
  public record RecordShape(long headerBytes, int recordBytes, int labelOffset) {
    /** Records carry no label. */
    public static final int NO_LABEL = -1;

    public RecordShape {
      if (headerBytes < 0) {
        throw new IllegalArgumentException("header bytes cannot be negative: " + headerBytes);
      }
      if (recordBytes < 1) {
        throw new IllegalArgumentException(
            "a record has at least one byte, not " + recordBytes + "; say how long records are");
      }
      if (labelOffset < NO_LABEL || labelOffset >= recordBytes) {
        throw new IllegalArgumentException(
            "label offset " + labelOffset + " is outside a record of " + recordBytes + " bytes");
      }
    }
  }
}
