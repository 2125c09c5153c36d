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
          "Kind of the objects: files (each is an item), tar (each member is an item), idx,"
              + " records, or auto, which decides by name (default: ${DEFAULT-VALUE}).")
  private IngestKind kind;

  @Option(
      names = "--labels",
      paramLabel = "<source>",
      defaultValue = "directory",
      description =
          "Labels of items that are whole objects: directory (the first folder names the"
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
      description =
          "With --kind records: bytes before the first record (default: ${DEFAULT-VALUE}).")
  private long recordHeader;

  @Option(
      names = "--record-label",
      paramLabel = "<offset>",
      defaultValue = "" + RecordShape.NO_LABEL,
      description = "With --kind records: offset of the one-byte label in a record.")
  private int recordLabel;

  @Option(
      names = "--include",
      paramLabel = "<glob>",
      description = "Include only objects whose name matches; may be repeated.")
  private @Nullable List<String> include;

  @Option(
      names = "--exclude",
      paramLabel = "<glob>",
      description = "Exclude objects whose name matches; may be repeated.")
  private @Nullable List<String> exclude;

  @Option(
      names = "--max-item",
      paramLabel = "<size>",
      description =
          "Largest item; larger ones are refused (default: 256MiB, the bound of servers).")
  private @Nullable ByteSize maxItem;

  @Option(
      names = "--empty",
      paramLabel = "<what>",
      description = "Rule for items of zero bytes: refuse, skip or keep.")
  private @Nullable EmptyItems empty;

  @Option(
      names = "--skip-unreadable",
      description = "Count objects that cannot be read and leave them out, instead of failing.")
  private boolean skipUnreadable;

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      defaultValue = "0",
      description = "Objects read concurrently (default: a number that suits the store).")
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
                maxItem == null ? options.rules().maxItemBytes() : maxItem.bytes(),
                empty == null ? options.rules().emptyItems() : empty,
                skipUnreadable)
            .withWork(workers, options.work().checkpointEvery());
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
