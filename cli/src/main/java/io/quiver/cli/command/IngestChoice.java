package io.quiver.cli.command;

import io.quiver.node.BuildVersion;
import io.quiver.remote.ingest.IngestOptions;
import io.quiver.remote.ingest.IngestOptions.EmptyItems;
import io.quiver.remote.ingest.IngestOptions.IngestKind;
import io.quiver.remote.ingest.IngestOptions.LabelSource;
import io.quiver.remote.ingest.IngestOptions.RecordShape;
import io.quiver.report.ByteSize;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how to cut a data set into items. */
final class IngestChoice {
  @Option(
      names = "--kind",
      paramLabel = "<kind>",
      defaultValue = "auto",
      description =
          "How items are cut from objects: files (each is an item), tar (each member is), idx,"
              + " records, or auto: by name (default: ${DEFAULT-VALUE}).")
  private IngestKind kind;

  @Option(
      names = "--labels",
      paramLabel = "<source>",
      defaultValue = "directory",
      description =
          "Where labels of whole-object items come from: directory (the first folder names the"
              + " class) or none (default: ${DEFAULT-VALUE}).")
  private LabelSource labels;

  @Option(
      names = "--record-bytes",
      paramLabel = "<n>",
      description = "With --kind records: bytes of one record, label included.")
  private @Nullable Integer recordBytes;

  @Option(
      names = "--record-header",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "With --kind records: bytes before the first one (default: ${DEFAULT-VALUE}).")
  private long recordHeader;

  @Option(
      names = "--record-label",
      paramLabel = "<offset>",
      defaultValue = "" + RecordShape.NO_LABEL,
      description = "With --kind records: where in a record its one-byte label is.")
  private int recordLabel;

  @Option(
      names = "--include",
      paramLabel = "<glob>",
      description = "Only objects whose name matches; may be repeated.")
  private @Nullable List<String> include;

  @Option(
      names = "--exclude",
      paramLabel = "<glob>",
      description = "No objects whose name matches; may be repeated.")
  private @Nullable List<String> exclude;

  @Option(
      names = "--max-item",
      paramLabel = "<size>",
      description = "Refuse larger items (default: 256MiB, what servers take).")
  private @Nullable ByteSize maxItem;

  @Option(
      names = "--empty",
      paramLabel = "<what>",
      description = "Items of zero bytes: refuse, skip or keep.")
  private @Nullable EmptyItems empty;

  @Option(
      names = "--skip-unreadable",
      description = "Leave out objects that cannot be read, and count them, instead of failing.")
  private boolean skipUnreadable;

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Objects read at a time (default: what suits the store).")
  private int workers;

  /** The options of the builder that these choices describe. */
  IngestOptions options() {
    IngestOptions options =
        IngestOptions.defaults()
            .withKind(kind == IngestKind.RECORDS ? IngestKind.AUTO : kind)
            .withLabels(labels)
            .withNames(orNone(include), orNone(exclude))
            .withCreatedBy("quiver " + BuildVersion.number());
    options =
        options
            .withRules(
                maxItem == null ? options.maxItemBytes() : maxItem.bytes(),
                empty == null ? options.emptyItems() : empty,
                skipUnreadable)
            .withWork(workers, options.checkpointEvery());
    return kind == IngestKind.RECORDS ? options.withRecords(shape()) : options;
  }

  private RecordShape shape() {
    if (recordBytes == null) {
      throw new IllegalArgumentException(
          "--kind records needs --record-bytes: how long one record is (CIFAR-10: 3073)");
    }
    return new RecordShape(recordHeader, recordBytes, recordLabel);
  }

  private static List<String> orNone(@Nullable List<String> globs) {
    return globs == null ? List.of() : globs;
  }
}
