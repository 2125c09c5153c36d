package io.quiver.core.dataset;

import io.quiver.core.hash.ContentHash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The first bytes of a digest: counts, identity and the table of sections. The layout is drawn in
 * this package's description.
 *
 * @param items how many items the data set has
 * @param objects how many objects they lie in
 * @param totalBytes the bytes of all items together
 * @param largestItem the bytes of the largest item
 * @param fileLength the length of the whole digest
 * @param identity SHA-256 over the ordered hash column
 * @param sections the table of sections, by ascending kind
 */
public record DigestHeader(
    long items,
    long objects,
    long totalBytes,
    long largestItem,
    long fileLength,
    ContentHash identity,
    List<PlacedSection> sections) {

  /** The first eight bytes of every digest; a text-mode copy or a 7-bit channel damages them. */
  static final long MAGIC = 0x0A1A0A0D47445189L; // 89 'Q' 'D' 'G' 0D 0A 1A 0A

  /** The version of the format this code writes and the only one it reads. */
  public static final int VERSION = 1;

  /** Most items a digest may have. */
  public static final int MAX_ITEMS = 1_000_000_000;

  static final int FIXED_BYTES = 128;
  static final int ENTRY_BYTES = 32;
  static final int MAX_SECTIONS = 64;

  static final int VERSION_AT = 8;
  static final int FLAGS_AT = 12;
  static final int ITEMS_AT = 16;
  static final int OBJECTS_AT = 24;
  static final int TOTAL_BYTES_AT = 32;
  static final int LARGEST_ITEM_AT = 40;
  static final int FILE_LENGTH_AT = 48;
  static final int SECTION_COUNT_AT = 56;
  static final int CRC_AT = 60;
  static final int IDENTITY_AT = 64;
  static final int RESERVED_AT = 96;

  private static final String REBUILD = "the file is damaged: copy it again or build it again";

  /** Keeps the table as given. */
  public DigestHeader {
    sections = List.copyOf(sections);
  }

  /** Returns how many bytes a header with this many sections takes. */
  static int length(int sectionCount) {
    return FIXED_BYTES + ENTRY_BYTES * sectionCount;
  }

  /** Returns the header as it begins the file. */
  public byte[] toBytes() {
    byte[] bytes = new byte[length(sections.size())];
    ByteBuffer out = littleEndian(bytes);
    out.putLong(0, MAGIC).putInt(VERSION_AT, VERSION);
    out.putLong(ITEMS_AT, items).putLong(OBJECTS_AT, objects);
    out.putLong(TOTAL_BYTES_AT, totalBytes).putLong(LARGEST_ITEM_AT, largestItem);
    out.putLong(FILE_LENGTH_AT, fileLength).putInt(SECTION_COUNT_AT, sections.size());
    identity.write(out, IDENTITY_AT);
    for (int i = 0; i < sections.size(); i++) {
      PlacedSection section = sections.get(i);
      int at = FIXED_BYTES + ENTRY_BYTES * i;
      out.putInt(at, section.kind()).putInt(at + 4, section.width());
      out.putLong(at + 8, section.position()).putLong(at + 16, section.bytes());
      out.putInt(at + 24, section.crc());
    }
    out.putInt(CRC_AT, crc(bytes));
    return bytes;
  }

  /** Reads the header at the start of a digest and checks its own CRC, but not the sections. */
  static DigestHeader read(MemorySegment file) {
    requireStart(file);
    int count = requireCount(file);
    byte[] bytes = file.asSlice(0, length(count)).toArray(ValueLayout.JAVA_BYTE);
    ByteBuffer in = littleEndian(bytes);
    requireCrc(bytes, in);
    requireZero(FLAGS_AT, in.getInt(FLAGS_AT));
    for (int at = RESERVED_AT; at < FIXED_BYTES; at += 8) {
      requireZero(at, in.getLong(at));
    }
    return new DigestHeader(
        in.getLong(ITEMS_AT),
        in.getLong(OBJECTS_AT),
        in.getLong(TOTAL_BYTES_AT),
        in.getLong(LARGEST_ITEM_AT),
        in.getLong(FILE_LENGTH_AT),
        ContentHash.read(in, IDENTITY_AT),
        readSections(in, count));
  }

  private static List<PlacedSection> readSections(ByteBuffer in, int count) {
    List<PlacedSection> sections = new ArrayList<>(count);
    for (int at = FIXED_BYTES; at < length(count); at += ENTRY_BYTES) {
      requireZero(at + 28, in.getInt(at + 28));
      sections.add(
          new PlacedSection(
              in.getInt(at),
              in.getInt(at + 4),
              in.getLong(at + 8),
              in.getLong(at + 16),
              in.getInt(at + 24)));
    }
    return sections;
  }

  private static void requireStart(MemorySegment file) {
    if (file.byteSize() < FIXED_BYTES) {
      throw new DigestFormatException(
          file.byteSize(),
          "the file ends after " + file.byteSize() + " bytes, a header has " + FIXED_BYTES,
          "it was cut or is no digest: copy it again or build it again");
    }
    long magic = file.get(DatasetDigest.INT64, 0);
    if (magic != MAGIC) {
      throw new DigestFormatException(
          0,
          "starts with " + Long.toHexString(Long.reverseBytes(magic)) + ", not 895144470d0a1a0a",
          "this is no digest; build one with 'quiver digest create'");
    }
    int version = file.get(DatasetDigest.INT32, VERSION_AT);
    if (version != VERSION) {
      throw new DigestFormatException(
          VERSION_AT,
          "format version " + Integer.toUnsignedString(version) + ", known is " + VERSION,
          "use a newer quiver or build the digest again");
    }
  }

  private static int requireCount(MemorySegment file) {
    int count = file.get(DatasetDigest.INT32, SECTION_COUNT_AT);
    if (count < 0 || count > MAX_SECTIONS) {
      throw new DigestFormatException(
          SECTION_COUNT_AT, "section count " + count + " is not 0 to " + MAX_SECTIONS, REBUILD);
    }
    if (file.byteSize() < length(count)) {
      throw new DigestFormatException(
          file.byteSize(),
          "the file ends inside its header of " + length(count) + " bytes",
          "it was cut: copy it again or build it again");
    }
    return count;
  }

  private static void requireCrc(byte[] bytes, ByteBuffer in) {
    int stored = in.getInt(CRC_AT);
    in.putInt(CRC_AT, 0);
    int computed = crc(bytes);
    if (stored != computed) {
      throw new DigestFormatException(
          CRC_AT, "header CRC %08x, its bytes give %08x".formatted(stored, computed), REBUILD);
    }
  }

  private static void requireZero(int position, long value) {
    if (value != 0) {
      throw new DigestFormatException(
          position,
          "reserved field holds " + Long.toHexString(value),
          "the digest needs a newer quiver");
    }
  }

  private static int crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
