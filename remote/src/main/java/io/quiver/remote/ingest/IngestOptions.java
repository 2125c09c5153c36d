package io.quiver.remote.ingest;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What {@link DigestBuilder} needs to know besides the store and the output.
 *
 * @param kind how items are cut from objects
 * @param labels where the labels of whole-object items come from
 * @param records the shape of records; needed for {@link IngestKind#RECORDS}, unused otherwise
 * @param include globs; an object takes part if one matches (none: all do). A glob without {@code
 *     /} is matched against the last part of the name, others against the whole name
 * @param exclude globs of objects to leave out
 * @param maxItemBytes larger items are refused
 * @param emptyItems what to do with items of zero bytes
 * @param skipUnreadable leave out objects that cannot be read or cut, and count them, instead of
 *     failing
 * @param workers how many objects are read at a time; 0 for a number that suits the store
 * @param checkpointEvery how much work at most is lost when the process is killed
 * @param createdBy noted in the digest
 */
public record IngestOptions(
    IngestKind kind,
    LabelSource labels,
    Optional<RecordShape> records,
    List<String> include,
    List<String> exclude,
    long maxItemBytes,
    EmptyItems emptyItems,
    boolean skipUnreadable,
    int workers,
    Duration checkpointEvery,
    String createdBy) {

  /** The default bound of an item: what servers accept by default. */
  public static final long MAX_ITEM_BYTES = 256L << 20;

  /** Most workers; more would only queue up at the store. */
  public static final int MAX_WORKERS = 1024;

  /** Checks the ranges. */
  public IngestOptions {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    if (kind == IngestKind.RECORDS && records.isEmpty()) {
      throw new IllegalArgumentException("records need a shape: say how many bytes a record has");
    }
    if (maxItemBytes < 1) {
      throw new IllegalArgumentException("the largest item must be positive: " + maxItemBytes);
    }
    if (workers < 0 || workers > MAX_WORKERS) {
      throw new IllegalArgumentException("workers must be 0 to 1024, not " + workers);
    }
    if (checkpointEvery.isNegative()) {
      throw new IllegalArgumentException("checkpoints cannot be " + checkpointEvery + " apart");
    }
  }

  /** Whole files or shards by extension, labels from folders, strict about everything else. */
  public static IngestOptions defaults() {
    return new IngestOptions(
        IngestKind.AUTO,
        LabelSource.DIRECTORY,
        Optional.empty(),
        List.of(),
        List.of(),
        MAX_ITEM_BYTES,
        EmptyItems.REFUSE,
        false,
        0,
        Duration.ofSeconds(5),
        "quiver");
  }

  /** The same, cutting items this way. */
  public IngestOptions withKind(IngestKind value) {
    return new IngestOptions(
        value,
        labels,
        records,
        include,
        exclude,
        maxItemBytes,
        emptyItems,
        skipUnreadable,
        workers,
        checkpointEvery,
        createdBy);
  }

  /** Fixed records of this shape. */
  public IngestOptions withRecords(RecordShape shape) {
    return new IngestOptions(
        IngestKind.RECORDS,
        labels,
        Optional.of(shape),
        include,
        exclude,
        maxItemBytes,
        emptyItems,
        skipUnreadable,
        workers,
        checkpointEvery,
        createdBy);
  }

  /** The same with labels from there. */
  public IngestOptions withLabels(LabelSource value) {
    return new IngestOptions(
        kind,
        value,
        records,
        include,
        exclude,
        maxItemBytes,
        emptyItems,
        skipUnreadable,
        workers,
        checkpointEvery,
        createdBy);
  }

  /** The same for the objects these globs choose. */
  public IngestOptions withNames(List<String> included, List<String> excluded) {
    return new IngestOptions(
        kind,
        labels,
        records,
        included,
        excluded,
        maxItemBytes,
        emptyItems,
        skipUnreadable,
        workers,
        checkpointEvery,
        createdBy);
  }

  /** The same with these rules for items that are too large, empty or unreadable. */
  public IngestOptions withRules(long maxBytes, EmptyItems empty, boolean skip) {
    return new IngestOptions(
        kind,
        labels,
        records,
        include,
        exclude,
        maxBytes,
        empty,
        skip,
        workers,
        checkpointEvery,
        createdBy);
  }

  /** The same with this many workers and this long between checkpoints. */
  public IngestOptions withWork(int workerCount, Duration checkpoints) {
    return new IngestOptions(
        kind,
        labels,
        records,
        include,
        exclude,
        maxItemBytes,
        emptyItems,
        skipUnreadable,
        workerCount,
        checkpoints,
        createdBy);
  }

  /** The same, noting this program as the writer. */
  public IngestOptions withCreatedBy(String program) {
    return new IngestOptions(
        kind,
        labels,
        records,
        include,
        exclude,
        maxItemBytes,
        emptyItems,
        skipUnreadable,
        workers,
        checkpointEvery,
        program);
  }

  int workersFor(String uri) {
    if (workers > 0) {
      return workers;
    }
    int cores = Runtime.getRuntime().availableProcessors();
    return uri.startsWith("file:") ? cores : Math.max(16, 4 * cores);
  }
}
