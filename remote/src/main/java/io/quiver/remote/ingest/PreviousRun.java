package io.quiver.remote.ingest;

import io.quiver.remote.NameOrder;
import io.quiver.remote.RemoteObject;
import io.quiver.remote.ingest.Cut.ItemSink;
import io.quiver.remote.ingest.RunColumns.Column;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the finished objects of an interrupted run, mapped, to copy them instead of reading the
 * store again.
 *
 * <p>Both this run and the listing are ordered by name, so one cursor that only moves forward finds
 * every object: no table of names in memory.
 */
final class PreviousRun implements AutoCloseable {
  private static final ValueLayout.OfLong INT64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final RunMark mark;
  private final Arena arena = Arena.ofShared();
  private final Map<Column, MemorySegment> columns = new EnumMap<>(Column.class);
  private long cursor;
  private @Nullable String cursorName;

  /** The rows of one finished object. */
  record Rows(long firstItem, long endItem, long emptySkipped) {}

  private PreviousRun(Path folder, RunMark mark) throws IOException {
    this.mark = mark;
    try {
      for (Column column : Column.values()) {
        columns.put(column, map(column.in(folder), RunColumns.length(column, mark)));
      }
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /** Opens the run in a folder; empty if it had finished nothing. */
  static Optional<PreviousRun> open(Path folder) throws IOException {
    RunMark mark = lastMark(folder);
    return mark.objects() == 0 ? Optional.empty() : Optional.of(new PreviousRun(folder, mark));
  }

  /** Returns the last mark of a run's journal that was written whole. */
  static RunMark lastMark(Path folder) throws IOException {
    Path journal = folder.resolve(RunColumns.JOURNAL);
    if (!Files.isRegularFile(journal)) {
      return RunMark.START;
    }
    try (FileChannel channel = FileChannel.open(journal, StandardOpenOption.READ)) {
      for (long at = channel.size() / RunMark.BYTES - 1; at >= 0; at--) {
        byte[] bytes = new byte[RunMark.BYTES];
        channel.read(ByteBuffer.wrap(bytes), at * RunMark.BYTES);
        Optional<RunMark> mark = RunMark.read(bytes);
        if (mark.isPresent() && fits(folder, mark.get())) {
          return mark.get();
        }
      }
    }
    return RunMark.START;
  }

  /**
   * Returns the rows of this very version of an object. Objects must be asked for in their order.
   */
  Optional<Rows> find(RemoteObject object) {
    while (cursor < mark.objects() && NameOrder.UTF_8.compare(nameAtCursor(), object.name()) < 0) {
      cursor++;
      cursorName = null;
    }
    if (cursor == mark.objects() || !nameAtCursor().equals(object.name())) {
      return Optional.empty();
    }
    boolean same =
        !object.version().isEmpty()
            && entry(cursor, 3) == object.size()
            && versionAtCursor().equals(object.version());
    return same
        ? Optional.of(new Rows(start(2), entry(cursor, 2), entry(cursor, 4)))
        : Optional.empty();
  }

  /** Copies rows to a sink. */
  void copy(Rows rows, ItemSink sink) throws InterruptedException {
    byte[] hash = new byte[32];
    for (long i = rows.firstItem(); i < rows.endItem(); i++) {
      MemorySegment.copy(column(Column.HASHES), ValueLayout.JAVA_BYTE, 32 * i, hash, 0, 32);
      long nameStart = i == 0 ? 0 : column(Column.ITEM_NAME_ENDS).get(INT64, 8 * (i - 1));
      long nameEnd = column(Column.ITEM_NAME_ENDS).get(INT64, 8 * i);
      sink.add(
          hash,
          column(Column.SIZES).get(INT64, 8 * i),
          column(Column.OFFSETS).get(INT64, 8 * i),
          column(Column.LABELS).get(INT32, 4 * i),
          bytes(Column.ITEM_NAMES, nameStart, nameEnd));
    }
    sink.emptySkipped(rows.emptySkipped());
  }

  @Override
  public void close() {
    arena.close();
  }

  private String nameAtCursor() {
    if (cursorName == null) {
      byte[] name = bytes(Column.OBJECT_NAMES, start(0), entry(cursor, 0));
      cursorName = new String(name, StandardCharsets.UTF_8);
    }
    return cursorName;
  }

  private String versionAtCursor() {
    return new String(bytes(Column.VERSIONS, start(1), entry(cursor, 1)), StandardCharsets.UTF_8);
  }

  private long start(int field) {
    return cursor == 0 ? 0 : entry(cursor - 1, field);
  }

  private long entry(long object, int field) {
    return column(Column.OBJECT_ENTRIES)
        .get(INT64, object * RunColumns.OBJECT_ENTRY_BYTES + field * (long) Long.BYTES);
  }

  private byte[] bytes(Column column, long start, long end) {
    return column(column).asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
  }

  private MemorySegment column(Column column) {
    return Objects.requireNonNull(columns.get(column));
  }

  private static boolean fits(Path folder, RunMark mark) throws IOException {
    for (Column column : Column.values()) {
      Path path = column.in(folder);
      if (!Files.isRegularFile(path) || Files.size(path) < RunColumns.length(column, mark)) {
        return false;
      }
    }
    return true;
  }

  private MemorySegment map(Path path, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return length == 0
          ? MemorySegment.NULL
          : channel.map(FileChannel.MapMode.READ_ONLY, 0, length, arena);
    }
  }
}
