package io.quiver.remote.ingest;

import io.quiver.core.dataset.DigestHeader;
import io.quiver.core.dataset.EncodedStrings;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Stores the results of a run in files of its own folder, with a journal of what is safely on disk.
 *
 * <p>A checkpoint forces the columns to disk before it appends a {@link RunMark} to the journal;
 * what lies behind the last mark is not trusted after a crash.
 */
final class RunColumns implements AutoCloseable {
  /** The files of a run. Item columns have the layout of the digest's own sections. */
  enum Column {
    HASHES,
    SIZES,
    OBJECTS,
    OFFSETS,
    LABELS,
    ITEM_NAME_ENDS,
    ITEM_NAMES,
    OBJECT_ENTRIES,
    OBJECT_NAMES,
    VERSIONS;

    Path in(Path folder) {
      return folder.resolve(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
  }

  /** An object entry: name end, version end, item end, size, empty items skipped; int64 each. */
  static final int OBJECT_ENTRY_BYTES = 40;

  static final String JOURNAL = "journal";

  private final Map<Column, ColumnFile> files = new LinkedHashMap<>();
  private final FileChannel journal;
  private RunMark mark = RunMark.START;
  private long items;
  private long itemNameBytes;

  RunColumns(Path folder) throws IOException {
    for (Column column : Column.values()) {
      files.put(column, new ColumnFile(column.in(folder)));
    }
    journal =
        FileChannel.open(
            folder.resolve(JOURNAL),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.APPEND);
  }

  /** Returns the mark after the last finished object. */
  RunMark mark() {
    return mark;
  }

  /** Appends items of the current object with one label for all, or with the part's own. */
  void append(ItemPart part, int from, int to, LabelChoice labels) throws IOException {
    if (items + (to - from) > DigestHeader.MAX_ITEMS) {
      throw new IngestException(
          "the data set has more than " + DigestHeader.MAX_ITEMS + " items; split it in parts");
    }
    file(Column.HASHES).put(part.hashes, from * ContentHash.BYTES, (to - from) * ContentHash.BYTES);
    for (int i = from; i < to; i++) {
      file(Column.SIZES).putLong(part.sizes[i]);
      file(Column.OBJECTS).putInt((int) mark.objects());
      file(Column.OFFSETS).putLong(part.offsets[i]);
      file(Column.LABELS).putInt(labels.of(part.labels[i]));
      int nameStart = i == 0 ? 0 : part.nameEnds[i - 1];
      itemNameBytes += part.nameEnds[i] - nameStart;
      file(Column.ITEM_NAME_ENDS).putLong(itemNameBytes);
      file(Column.ITEM_NAMES).put(part.names, nameStart, part.nameEnds[i] - nameStart);
    }
    items += to - from;
  }

  /** Ends an object, to which all items appended since the last end belong. */
  void endObject(RemoteObject object, long emptySkipped) throws IOException {
    byte[] name = EncodedStrings.utf8(object.name());
    byte[] version = EncodedStrings.utf8(object.version());
    file(Column.OBJECT_NAMES).put(name, 0, name.length);
    file(Column.VERSIONS).put(version, 0, version.length);
    mark =
        new RunMark(
            mark.objects() + 1,
            items,
            itemNameBytes,
            mark.objectNameBytes() + name.length,
            mark.versionBytes() + version.length,
            mark.emptySkipped() + emptySkipped);
    ColumnFile entries = file(Column.OBJECT_ENTRIES);
    entries.putLong(mark.objectNameBytes());
    entries.putLong(mark.versionBytes());
    entries.putLong(mark.items());
    entries.putLong(object.size());
    entries.putLong(emptySkipped);
  }

  /** Discards the items of an object that could not be finished. */
  void rollback() throws IOException {
    items = mark.items();
    itemNameBytes = mark.itemNameBytes();
    for (Column column : Column.values()) {
      file(column).truncate(length(column, mark));
    }
  }

  /** Makes everything up to the last finished object survive the death of the process. */
  void checkpoint() throws IOException {
    for (ColumnFile file : files.values()) {
      file.force();
    }
    ByteBuffer entry = ByteBuffer.wrap(mark.toBytes());
    while (entry.hasRemaining()) {
      journal.write(entry);
    }
    journal.force(false);
  }

  /** Returns a column's file, for reading it back. */
  FileChannel reader(Column column) throws IOException {
    return file(column).reader();
  }

  /** Returns the length of a column at a mark. */
  static long length(Column column, RunMark mark) {
    return switch (column) {
      case HASHES -> mark.items() * ContentHash.BYTES;
      case SIZES, OFFSETS, ITEM_NAME_ENDS -> mark.items() * Long.BYTES;
      case OBJECTS, LABELS -> mark.items() * Integer.BYTES;
      case ITEM_NAMES -> mark.itemNameBytes();
      case OBJECT_ENTRIES -> mark.objects() * OBJECT_ENTRY_BYTES;
      case OBJECT_NAMES -> mark.objectNameBytes();
      case VERSIONS -> mark.versionBytes();
    };
  }

  @Override
  public void close() throws IOException {
    for (ColumnFile file : files.values()) {
      file.close();
    }
    journal.close();
  }

  private ColumnFile file(Column column) {
    ColumnFile file = files.get(column);
    if (file == null) {
      throw new IllegalStateException("no file for " + column);
    }
    return file;
  }

  /** Turns the label an item came with into the one that is written. */
  interface LabelChoice {
    int of(int own);
  }
}
