package io.quiver.core.dataset;

import io.quiver.core.hash.ContentHash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A data set as its owner sees it: for each item, by index, the content hash, the size and the
 * place in the owner's own store.
 *
 * <p>A view over bytes that somebody else mapped or read: nothing is copied, so a digest of a
 * billion items opens at once. Opening checks the header and that every section lies where it must;
 * {@link #verify()} reads everything. In between, no damage can make an accessor crash or read
 * outside the file, but only a verified digest is known to be right. Safe for many threads; valid
 * as long as the memory below it is.
 */
public final class DatasetDigest {
  static final ValueLayout.OfLong INT64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt INT32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final String REBUILD = "the file is damaged: copy it again or build it again";

  private final MemorySegment file;
  private final DigestHeader header;
  private final Map<DigestSection, PlacedSection> sections;
  private final int itemCount;
  private final StringTable objectNames;
  private final @Nullable StringTable itemNames;
  private final @Nullable StringTable classNames;
  private final StringTable metadata;

  private DatasetDigest(MemorySegment file) {
    this.file = file.asReadOnly();
    this.header = DigestHeader.read(file);
    this.sections = DigestStructure.check(file, header);
    this.itemCount = (int) header.items();
    this.objectNames =
        new StringTable(
            this.file,
            section(DigestSection.OBJECT_NAME_STARTS),
            section(DigestSection.OBJECT_NAMES));
    this.itemNames = table(DigestSection.ITEM_NAME_STARTS, DigestSection.ITEM_NAMES);
    this.classNames = table(DigestSection.CLASS_NAME_STARTS, DigestSection.CLASS_NAMES);
    this.metadata =
        new StringTable(
            this.file, section(DigestSection.METADATA_STARTS), section(DigestSection.METADATA));
  }

  /**
   * Opens a digest that lies in memory or in a mapped file.
   *
   * @throws DigestFormatException if it is cut, foreign or structurally damaged
   */
  public static DatasetDigest open(MemorySegment file) {
    return new DatasetDigest(file);
  }

  /** Opens a digest in a byte array. */
  public static DatasetDigest open(byte[] file) {
    return new DatasetDigest(MemorySegment.ofArray(file));
  }

  /** Returns how many items the data set has. */
  public int itemCount() {
    return itemCount;
  }

  /** Returns how many objects of the store they lie in. */
  public long objectCount() {
    return header.objects();
  }

  /** Returns the bytes of all items together. */
  public long totalBytes() {
    return header.totalBytes();
  }

  /** Returns the bytes of the largest item. */
  public long largestItem() {
    return header.largestItem();
  }

  /** Returns the data set's identity: SHA-256 over the ordered hash column. */
  public ContentHash identity() {
    return header.identity();
  }

  /** Counts and table of sections, for tools that show the file itself. */
  public DigestHeader header() {
    return header;
  }

  /** Returns the hash of an item's bytes. */
  public ContentHash hash(int item) {
    long at = entry(DigestSection.HASHES, item);
    return ContentHash.read(file.asSlice(at, ContentHash.BYTES).asByteBuffer(), 0);
  }

  /** Returns how many bytes an item has. */
  public long size(int item) {
    return requireAtLeast(
        0, DigestSection.SIZES, item, file.get(INT64, entry(DigestSection.SIZES, item)));
  }

  /** Returns the object an item lies in, as an index for {@link #objectName(int)}. */
  public int objectIndex(int item) {
    long at = entry(DigestSection.OBJECTS, item);
    int object = file.get(INT32, at);
    if (object < 0 || object >= header.objects()) {
      throw new DigestFormatException(
          at, "item %d is in object %d of %d".formatted(item, object, header.objects()), REBUILD);
    }
    return object;
  }

  /** Returns the name of an object by its own index. */
  public String objectName(int object) {
    return objectNames.string(object);
  }

  /** Returns where in its object an item starts. */
  public long offset(int item) {
    return requireAtLeast(
        0, DigestSection.OFFSETS, item, file.get(INT64, entry(DigestSection.OFFSETS, item)));
  }

  /** Returns true if items have labels. */
  public boolean hasLabels() {
    return sections.containsKey(DigestSection.LABELS);
  }

  /** Returns an item's class; {@link DigestItem#NONE} if it has none. */
  public int label(int item) {
    return optional(DigestSection.LABELS, item);
  }

  /** Returns an item's length in units of the data set; {@link DigestItem#NONE} if unknown. */
  public int length(int item) {
    return optional(DigestSection.LENGTHS, item);
  }

  /** Returns an item's own name inside its object; empty if it has none. */
  public String itemName(int item) {
    Objects.checkIndex(item, itemCount);
    return itemNames == null ? "" : itemNames.string(item);
  }

  /**
   * Returns the names of the classes; the n-th belongs to label n. Empty if classes have no names.
   */
  public List<String> classNames() {
    List<String> names = new ArrayList<>();
    for (long i = 0; classNames != null && i < classNames.count(); i++) {
      names.add(classNames.string(i));
    }
    return names;
  }

  /**
   * Returns what the writer noted: source, kind of ingest, program. In the order it was written.
   */
  public Map<String, String> metadata() {
    Map<String, String> map = new LinkedHashMap<>();
    for (long i = 0; i + 1 < metadata.count(); i += 2) {
      map.put(metadata.string(i), metadata.string(i + 1));
    }
    return map;
  }

  /** Returns everything about one item. */
  public DigestItem item(int item) {
    return new DigestItem(
        hash(item),
        size(item),
        objectName(objectIndex(item)),
        offset(item),
        itemName(item),
        label(item),
        length(item));
  }

  /**
   * Reads the whole digest and checks every byte: the CRC of each section, the identity, and that
   * all values make sense together.
   *
   * @throws DigestFormatException naming the first thing wrong
   */
  public void verify() {
    new DigestVerification(this, file).run();
  }

  StringTable[] stringTables() {
    List<StringTable> tables = new ArrayList<>(List.of(objectNames, metadata));
    if (itemNames != null) {
      tables.add(itemNames);
    }
    if (classNames != null) {
      tables.add(classNames);
    }
    return tables.toArray(StringTable[]::new);
  }

  private PlacedSection section(DigestSection section) {
    PlacedSection placed = sections.get(section);
    if (placed == null) {
      throw new IllegalStateException("this digest has no " + section);
    }
    return placed;
  }

  private @Nullable StringTable table(DigestSection starts, DigestSection bytes) {
    return !sections.containsKey(starts)
        ? null
        : new StringTable(file, section(starts), section(bytes));
  }

  private long entry(DigestSection column, int item) {
    Objects.checkIndex(item, itemCount);
    return section(column).position() + (long) item * column.width();
  }

  private int optional(DigestSection column, int item) {
    Objects.checkIndex(item, itemCount);
    if (!sections.containsKey(column)) {
      return DigestItem.NONE;
    }
    return (int) requireAtLeast(-1, column, item, file.get(INT32, entry(column, item)));
  }

  private long requireAtLeast(int least, DigestSection column, int item, long value) {
    if (value < least || value > DigestItem.MAX_BYTES) {
      throw new DigestFormatException(
          entry(column, item), column + " of item " + item + " is " + value, REBUILD);
    }
    return value;
  }
}
