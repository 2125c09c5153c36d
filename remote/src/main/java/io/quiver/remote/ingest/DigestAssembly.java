package io.quiver.remote.ingest;

import io.quiver.core.dataset.DigestHeader;
import io.quiver.core.dataset.DigestLayout;
import io.quiver.core.dataset.DigestSection;
import io.quiver.core.dataset.EncodedStrings;
import io.quiver.core.dataset.PlacedSection;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.ingest.RunColumns.Column;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Assembles the columns of a finished run into a digest, each read once and written once.
 *
 * <p>The file is on disk when this returns, but not yet under its name.
 */
final class DigestAssembly {
  private final RunColumns columns;
  private final RunMark mark;
  private final ClassTable classes;
  private final Map<String, String> metadata;
  private final Map<DigestSection, Integer> crcs = new EnumMap<>(DigestSection.class);
  private final MessageDigest identity = ContentHash.newDigest();
  private long totalBytes;
  private long largestItem;

  DigestAssembly(RunColumns columns, ClassTable classes, Map<String, String> metadata) {
    this.columns = columns;
    this.mark = columns.mark();
    this.classes = classes;
    this.metadata = metadata;
  }

  /** Writes the digest and returns its header. */
  DigestHeader write(Path target) throws IOException {
    List<String> pairs = new ArrayList<>();
    metadata.forEach((key, value) -> pairs.addAll(List.of(key, value)));
    EncodedStrings notes = EncodedStrings.of(pairs);
    EncodedStrings classNames = EncodedStrings.of(classes.names());
    DigestLayout layout = DigestLayout.of(lengths(notes, classNames, anyLabel()));
    try (FileChannel out =
        FileChannel.open(
            target,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (Map.Entry<DigestSection, PlacedSection> entry : layout.sections().entrySet()) {
        SectionWriter writer = new SectionWriter(out, entry.getValue());
        writeSection(entry.getKey(), writer, notes, classNames);
        crcs.put(entry.getKey(), writer.finish());
      }
      return writeHeader(out, layout);
    }
  }

  private Map<DigestSection, Long> lengths(
      EncodedStrings notes, EncodedStrings classNames, boolean labels) {
    Map<DigestSection, Long> lengths = new EnumMap<>(DigestSection.class);
    lengths.put(DigestSection.HASHES, mark.items() * ContentHash.BYTES);
    lengths.put(DigestSection.SIZES, mark.items() * Long.BYTES);
    lengths.put(DigestSection.OBJECTS, mark.items() * Integer.BYTES);
    lengths.put(DigestSection.OFFSETS, mark.items() * Long.BYTES);
    if (labels) {
      lengths.put(DigestSection.LABELS, mark.items() * Integer.BYTES);
    }
    lengths.put(DigestSection.OBJECT_NAME_STARTS, (mark.objects() + 1) * Long.BYTES);
    lengths.put(DigestSection.OBJECT_NAMES, mark.objectNameBytes());
    if (mark.itemNameBytes() > 0) {
      lengths.put(DigestSection.ITEM_NAME_STARTS, (mark.items() + 1) * Long.BYTES);
      lengths.put(DigestSection.ITEM_NAMES, mark.itemNameBytes());
    }
    if (classNames.bytes().length > 0) {
      lengths.put(DigestSection.CLASS_NAME_STARTS, (long) classNames.starts().length);
      lengths.put(DigestSection.CLASS_NAMES, (long) classNames.bytes().length);
    }
    lengths.put(DigestSection.METADATA_STARTS, (long) notes.starts().length);
    lengths.put(DigestSection.METADATA, (long) notes.bytes().length);
    return lengths;
  }

  private void writeSection(
      DigestSection section, SectionWriter writer, EncodedStrings notes, EncodedStrings classNames)
      throws IOException {
    switch (section) {
      case HASHES -> eachPiece(Column.HASHES, piece -> writeHashes(piece, writer));
      case SIZES -> eachPiece(Column.SIZES, piece -> writeSizes(piece, writer));
      case OBJECTS -> eachPiece(Column.OBJECTS, writer::put);
      case OFFSETS -> eachPiece(Column.OFFSETS, writer::put);
      case LABELS -> writeLabels(writer);
      case OBJECT_NAME_STARTS -> writeObjectNameStarts(writer);
      case OBJECT_NAMES -> eachPiece(Column.OBJECT_NAMES, writer::put);
      case ITEM_NAME_STARTS -> {
        writer.putLong(0);
        eachPiece(Column.ITEM_NAME_ENDS, writer::put);
      }
      case ITEM_NAMES -> eachPiece(Column.ITEM_NAMES, writer::put);
      case CLASS_NAME_STARTS -> writer.put(ByteBuffer.wrap(classNames.starts()));
      case CLASS_NAMES -> writer.put(ByteBuffer.wrap(classNames.bytes()));
      case METADATA_STARTS -> writer.put(ByteBuffer.wrap(notes.starts()));
      case METADATA -> writer.put(ByteBuffer.wrap(notes.bytes()));
      case LENGTHS -> throw new IllegalStateException("no store tells lengths");
    }
  }

  private void writeHashes(ByteBuffer piece, SectionWriter writer) throws IOException {
    identity.update(piece.duplicate());
    writer.put(piece);
  }

  private void writeSizes(ByteBuffer piece, SectionWriter writer) throws IOException {
    for (int at = 0; at < piece.limit(); at += Long.BYTES) {
      long size = piece.getLong(at);
      totalBytes = Math.addExact(totalBytes, size);
      largestItem = Math.max(largestItem, size);
    }
    writer.put(piece);
  }

  private void writeLabels(SectionWriter writer) throws IOException {
    int[] labels = classes.finalLabels();
    eachPiece(
        Column.LABELS,
        piece -> {
          for (int at = 0; at < piece.limit(); at += Integer.BYTES) {
            int label = piece.getInt(at);
            writer.putInt(isProvisional(label) ? labels[label ^ ClassTable.PROVISIONAL] : label);
          }
        });
  }

  private void writeObjectNameStarts(SectionWriter writer) throws IOException {
    writer.putLong(0);
    eachPiece(
        Column.OBJECT_ENTRIES,
        piece -> {
          for (int at = 0; at < piece.limit(); at += RunColumns.OBJECT_ENTRY_BYTES) {
            writer.putLong(piece.getLong(at));
          }
        });
  }

  private boolean anyLabel() throws IOException {
    boolean[] ownFound = {false};
    eachPiece(
        Column.LABELS,
        piece -> {
          for (int at = 0; !ownFound[0] && at < piece.limit(); at += Integer.BYTES) {
            int label = piece.getInt(at);
            ownFound[0] = label >= 0 && !isProvisional(label);
          }
        });
    if (ownFound[0] && !classes.isEmpty()) {
      throw new IngestException(
          "some items are labelled by their folder and others by their file; digest them"
              + " separately or without labels");
    }
    return ownFound[0] || !classes.isEmpty();
  }

  private static boolean isProvisional(int label) {
    return label >= ClassTable.PROVISIONAL;
  }

  private DigestHeader writeHeader(FileChannel out, DigestLayout layout) throws IOException {
    DigestHeader header =
        new DigestHeader(
            mark.items(),
            mark.objects(),
            totalBytes,
            largestItem,
            layout.fileLength(),
            ContentHash.of(identity.digest()),
            layout.withCrcs(crcs));
    ByteBuffer bytes = ByteBuffer.wrap(header.toBytes());
    while (bytes.hasRemaining()) {
      out.write(bytes, bytes.position());
    }
    out.force(true);
    return header;
  }

  private void eachPiece(Column column, ColumnPieces.Use use) throws IOException {
    ColumnPieces.each(columns.reader(column), RunColumns.length(column, mark), use);
  }

  /** Reads a column from front to back in pieces that hold whole entries of every width. */
  static final class ColumnPieces {
    /** A multiple of 4, 8, 32 and 40. */
    private static final int PIECE_BYTES = 160 << 10;

    private ColumnPieces() {}

    /** Receives each piece in turn, little-endian, from position 0 to the limit. */
    interface Use {
      void accept(ByteBuffer piece) throws IOException;
    }

    static void each(FileChannel column, long length, Use use) throws IOException {
      ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      for (long done = 0; done < length; done += PIECE_BYTES) {
        piece.clear().limit((int) Math.min(PIECE_BYTES, length - done));
        while (piece.hasRemaining()) {
          if (column.read(piece, done + piece.position()) < 0) {
            throw new EOFException("a column of the unfinished digest was cut while it was read");
          }
        }
        use.accept(piece.flip());
      }
    }
  }
}
