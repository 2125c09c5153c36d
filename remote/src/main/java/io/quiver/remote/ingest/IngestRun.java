package io.quiver.remote.ingest;

import io.quiver.core.dataset.DigestHeader;
import io.quiver.remote.ingest.Cut.PlannedCut;
import io.quiver.remote.ingest.IngestOptions.LabelSource;
import io.quiver.remote.ingest.ItemPart.ObjectEnd;
import io.quiver.remote.ingest.RunColumns.LabelChoice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Appends the workers' results to the columns, in the order of the listing; the only writer. What
 * it writes depends on the store alone, not on how many workers there are.
 */
final class IngestRun {
  private final Dispatcher dispatcher;
  private final RunColumns columns;
  private final ClassTable classes;
  private final IngestOptions options;
  private final DigestProgress progress;
  private final LongSupplier nanoTime;
  private final List<String> complaints = new ArrayList<>();
  private long lastCheckpoint;
  private long reusedObjects;
  private long unreadableObjects;
  private boolean dropping;

  IngestRun(
      Dispatcher dispatcher,
      RunColumns columns,
      ClassTable classes,
      IngestOptions options,
      DigestProgress progress,
      LongSupplier nanoTime) {
    this.dispatcher = dispatcher;
    this.columns = columns;
    this.classes = classes;
    this.options = options;
    this.progress = progress;
    this.nanoTime = nanoTime;
    this.lastCheckpoint = nanoTime.getAsLong();
  }

  /** Takes all results; on a failure the finished objects stay for the next attempt. */
  void takeAll() throws IOException, InterruptedException {
    boolean complete = false;
    try {
      IngestTask head = dispatcher.head();
      while (head != null) {
        takeTask(head);
        head = dispatcher.head();
      }
      complete = true;
    } finally {
      if (!complete) {
        columns.rollback();
        keepFinished();
      }
    }
  }

  private void keepFinished() throws IOException {
    if (columns.mark().objects() > 0) {
      columns.checkpoint();
    }
  }

  /** Returns the report of the build. */
  IngestReport report(DigestHeader header) {
    return new IngestReport(
        header.items(),
        header.objects(),
        header.totalBytes(),
        header.identity(),
        reusedObjects,
        columns.mark().emptySkipped(),
        unreadableObjects,
        complaints);
  }

  private void takeTask(IngestTask head) throws IOException, InterruptedException {
    ItemPart part;
    do {
      part = dispatcher.nextPart(head);
      take(part);
      if (nanoTime.getAsLong() - lastCheckpoint >= options.work().checkpointEvery().toNanos()) {
        columns.checkpoint();
        lastCheckpoint = nanoTime.getAsLong();
      }
    } while (!part.last);
  }

  private void take(ItemPart part) throws IOException {
    int from = 0;
    for (ObjectEnd end : part.ends) {
      append(part, from, end.itemEnd(), labelsFor(end.cut()));
      from = end.itemEnd();
      if (end.failure() != null) {
        fail(end.cut(), end.failure());
      } else {
        finish(end);
      }
    }
    append(part, from, part.count, this::ownLabel);
  }

  private void append(ItemPart part, int from, int to, LabelChoice labels) throws IOException {
    if (!dropping && to > from) {
      columns.append(part, from, to, labels);
    }
  }

  private void finish(ObjectEnd end) throws IOException {
    if (dropping) {
      dropping = false;
      return;
    }
    long before = columns.mark().items();
    columns.endObject(end.cut().object(), end.emptySkipped());
    reusedObjects += end.cut().reused() ? 1 : 0;
    progress.objectDone();
    progress.itemsDone(columns.mark().items() - before);
  }

  private void fail(PlannedCut cut, IOException failure) throws IOException {
    IngestException complaint = complaint(cut.object().name(), failure);
    if (!options.skipUnreadable()) {
      throw complaint;
    }
    if (!dropping) {
      unreadableObjects++;
      if (complaints.size() < IngestReport.MAX_COMPLAINTS) {
        complaints.add(String.valueOf(complaint.getMessage()));
      }
      columns.rollback();
    }
    dropping = !cut.last();
  }

  private static IngestException complaint(String name, IOException failure) {
    return failure instanceof IngestException known
        ? known
        : new IngestException(
            "'%s' cannot be read: %s; mend it, exclude it, or skip what is unreadable"
                .formatted(name, describe(failure)),
            failure);
  }

  private static @Nullable String describe(IOException failure) {
    return failure.getMessage() == null
        ? failure.toString()
        : failure.getClass().getSimpleName() + " " + failure.getMessage();
  }

  private int ownLabel(int own) {
    return options.labels() == LabelSource.NONE ? -1 : own;
  }

  private LabelChoice labelsFor(PlannedCut cut) throws IngestException {
    if (!cut.whole()) {
      return this::ownLabel;
    }
    int label =
        options.labels() == LabelSource.DIRECTORY ? classes.labelOf(cut.object().name()) : -1;
    return own -> label;
  }
}
