package io.quiver.remote.ingest;

import io.quiver.core.dataset.DigestHeader;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.IngestOptions.IngestKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Builds digests from the objects of a store.
 *
 * <p>One thread lists, the workers read and hash, the calling thread writes columns to files beside
 * the output and puts them together in the end. Memory is bounded by the number of workers, not by
 * that of items or objects.
 */
public final class DigestBuilder {
  private final RemoteStore store;
  private final Path output;
  private final IngestOptions options;
  private final DigestProgress progress;
  private final ClassTable classes = new ClassTable();

  private DigestBuilder(
      RemoteStore store, Path output, IngestOptions options, DigestProgress progress) {
    this.store = store;
    this.output = output;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Reads every object of the store and writes the digest of what it found.
   *
   * <p>An interrupted build leaves {@code <output>.partial} behind and nothing else; the next one
   * with the same options continues there and re-reads only objects that changed. Objects of stores
   * that tell no version are always read again.
   *
   * @param output where the digest goes; replaced in one step when it is complete
   * @throws IngestException if an object cannot be digested, naming it and the remedy
   */
  public static IngestReport build(
      RemoteStore store, Path output, IngestOptions options, DigestProgress progress)
      throws IOException, InterruptedException {
    return new DigestBuilder(store, output.toAbsolutePath(), options, progress).run();
  }

  private IngestReport run() throws IOException, InterruptedException {
    requireFolder();
    try (PartialFolder folder = PartialFolder.lock(output)) {
      String parameters = parameters();
      Optional<Path> earlier = folder.bestRun(parameters);
      Optional<PreviousRun> previous =
          earlier.isPresent() ? PreviousRun.open(earlier.get()) : Optional.empty();
      IngestReport report;
      try (RunColumns columns = new RunColumns(folder.newRun(parameters))) {
        report = fill(folder, columns, previous);
      } finally {
        previous.ifPresent(PreviousRun::close);
      }
      folder.delete();
      progress.phase(DigestProgress.Phase.DONE);
      return report;
    }
  }

  private IngestReport fill(
      PartialFolder folder, RunColumns columns, Optional<PreviousRun> previous)
      throws IOException, InterruptedException {
    CutPlanner planner = new CutPlanner(store, options, previous);
    int workers = options.work().workersFor(store.uri());
    IngestRun run;
    try (ListingSpool spool = new ListingSpool(folder.file("listing"));
        Lister lister = new Lister(store, options, output, spool, progress);
        Dispatcher dispatcher = new Dispatcher(spool, planner, workers, progress)) {
      lister.start();
      run = new IngestRun(dispatcher, columns, classes, options, progress, System::nanoTime);
      run.takeAll();
    }
    requireItems(columns.mark());
    progress.phase(DigestProgress.Phase.WRITING);
    Path target = folder.file("digest");
    DigestHeader header = new DigestAssembly(columns, classes, metadata()).write(target);
    publish(target);
    return run.report(header);
  }

  private void publish(Path target) throws IOException {
    Files.move(target, output, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Path parent = output.getParent();
    if (parent != null) {
      try (FileChannel folder = FileChannel.open(parent, StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
  }

  private void requireFolder() throws IOException {
    Path parent = output.getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      throw new NoSuchFileException(
          parent.toString(), null, "the folder of the digest must exist; create it first");
    }
    if (Files.isDirectory(output)) {
      throw new IngestException(output + " is a folder; name a file for the digest");
    }
  }

  private void requireItems(RunMark mark) throws IngestException {
    if (mark.items() == 0) {
      throw new IngestException(
          "no items found below %s (%d objects looked at); check the address and the filters"
              .formatted(store.uri(), mark.objects()));
    }
  }

  /**
   * Returns the options that change the rows of an object; only an attempt with equal ones can be
   * resumed.
   */
  private String parameters() {
    return """
    partial 1
    source %s
    kind %s
    labels %s
    records %s
    max-item-bytes %d
    empty-items %s
    """
        .formatted(
            store.uri(),
            options.kind().word(),
            options.labels().word(),
            shape(),
            options.rules().maxItemBytes(),
            options.rules().emptyItems());
  }

  private Map<String, String> metadata() {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put(DigestMetadata.SOURCE, store.uri());
    metadata.put(DigestMetadata.KIND, options.kind().word());
    metadata.put(DigestMetadata.LABELS, options.labels().word());
    if (options.kind() == IngestKind.RECORDS) {
      metadata.put(DigestMetadata.RECORDS, shape());
    }
    metadata.put(DigestMetadata.CREATED_BY, options.createdBy());
    return metadata;
  }

  private String shape() {
    return options
        .records()
        .map(s -> s.headerBytes() + "+" + s.recordBytes() + ", label at " + s.labelOffset())
        .orElse("none");
  }
}
