package io.quiver.core.dataset;

import io.quiver.core.hash.ContentHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * Writes a digest in memory, for data sets small enough to be listed item by item.
 *
 * <p>Sections that no item needs (labels, lengths, item names) are left out. Data sets that do not
 * fit in memory are written column by column with {@link DigestLayout} instead; both ways give the
 * same bytes.
 */
public final class DigestEncoder {
  private final List<DigestItem> items = new ArrayList<>();
  private final Map<String, Integer> objects = new LinkedHashMap<>();
  private final List<String> classNames = new ArrayList<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();

  /** Adds the next item. Objects are numbered in the order they first appear. */
  public DigestEncoder add(DigestItem item) {
    items.add(item);
    objects.putIfAbsent(item.objectName(), objects.size());
    return this;
  }

  /** Names the classes: the n-th name belongs to label n. */
  public DigestEncoder classNames(List<String> names) {
    classNames.clear();
    classNames.addAll(names);
    return this;
  }

  /** Notes something about the data set; see {@link DigestMetadata} for the usual keys. */
  public DigestEncoder metadata(String key, String value) {
    metadata.put(key, value);
    return this;
  }

  /** Returns the digest's bytes. */
  public byte[] encode() {
    EnumMap<DigestSection, byte[]> contents = contents();
    EnumMap<DigestSection, Long> lengths = new EnumMap<>(DigestSection.class);
    EnumMap<DigestSection, Integer> crcs = new EnumMap<>(DigestSection.class);
    contents.forEach((section, bytes) -> lengths.put(section, (long) bytes.length));
    contents.forEach((section, bytes) -> crcs.put(section, crc(bytes)));
    DigestLayout layout = DigestLayout.of(lengths);
    byte[] file = new byte[Math.toIntExact(layout.fileLength())];
    byte[] header = header(layout, crcs, contents).toBytes();
    System.arraycopy(header, 0, file, 0, header.length);
    layout
        .sections()
        .forEach((section, place) -> {
          byte[] bytes = bytesOf(contents, section);
          System.arraycopy(bytes, 0, file, (int) place.position(), bytes.length);
        });
    return file;
  }

  private DigestHeader header(
      DigestLayout layout,
      Map<DigestSection, Integer> crcs,
      EnumMap<DigestSection, byte[]> contents) {
    return new DigestHeader(
        items.size(),
        objects.size(),
        items.stream().mapToLong(DigestItem::size).reduce(0, Math::addExact),
        items.stream().mapToLong(DigestItem::size).max().orElse(0),
        layout.fileLength(),
        ContentHash.ofContent(bytesOf(contents, DigestSection.HASHES)),
        layout.withCrcs(crcs));
  }

  private EnumMap<DigestSection, byte[]> contents() {
    EnumMap<DigestSection, byte[]> out = new EnumMap<>(DigestSection.class);
    out.put(DigestSection.HASHES, column(DigestSection.HASHES, this::putHash));
    out.put(DigestSection.SIZES, column(DigestSection.SIZES, (to, i) -> to.putLong(i.size())));
    out.put(DigestSection.OBJECTS, column(DigestSection.OBJECTS, this::putObject));
    out.put(
        DigestSection.OFFSETS, column(DigestSection.OFFSETS, (to, i) -> to.putLong(i.offset())));
    if (!classNames.isEmpty() || items.stream().anyMatch(i -> i.label() != DigestItem.NONE)) {
      out.put(DigestSection.LABELS, column(DigestSection.LABELS, (to, i) -> to.putInt(i.label())));
    }
    if (items.stream().anyMatch(i -> i.length() != DigestItem.NONE)) {
      out.put(
          DigestSection.LENGTHS, column(DigestSection.LENGTHS, (to, i) -> to.putInt(i.length())));
    }
    List<String> objectNames = List.copyOf(objects.keySet());
    table(out, DigestSection.OBJECT_NAME_STARTS, DigestSection.OBJECT_NAMES, objectNames);
    List<String> names = items.stream().map(DigestItem::name).toList();
    if (names.stream().anyMatch(name -> !name.isEmpty())) {
      table(out, DigestSection.ITEM_NAME_STARTS, DigestSection.ITEM_NAMES, names);
    }
    if (!classNames.isEmpty()) {
      table(out, DigestSection.CLASS_NAME_STARTS, DigestSection.CLASS_NAMES, classNames);
    }
    List<String> pairs = new ArrayList<>();
    metadata.forEach((key, value) -> pairs.addAll(List.of(key, value)));
    table(out, DigestSection.METADATA_STARTS, DigestSection.METADATA, pairs);
    return out;
  }

  private void putHash(ByteBuffer to, DigestItem item) {
    to.put(item.hash().toBytes());
  }

  private void putObject(ByteBuffer to, DigestItem item) {
    Integer object = objects.get(item.objectName());
    to.putInt(object == null ? DigestItem.NONE : object);
  }

  private byte[] column(DigestSection section, EntryWriter writer) {
    byte[] bytes = new byte[Math.multiplyExact(items.size(), section.width())];
    ByteBuffer out = littleEndian(bytes);
    items.forEach(item -> writer.put(out, item));
    return bytes;
  }

  private static void table(
      EnumMap<DigestSection, byte[]> out,
      DigestSection starts,
      DigestSection bytes,
      List<String> strings) {
    EncodedStrings encoded = EncodedStrings.of(strings);
    out.put(starts, encoded.starts());
    out.put(bytes, encoded.bytes());
  }

  private static byte[] bytesOf(EnumMap<DigestSection, byte[]> contents, DigestSection section) {
    byte[] bytes = contents.get(section);
    return bytes == null ? new byte[0] : bytes;
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private interface EntryWriter {
    void put(ByteBuffer to, DigestItem item);
  }
}
