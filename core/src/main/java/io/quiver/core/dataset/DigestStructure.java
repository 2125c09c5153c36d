package io.quiver.core.dataset;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;

/**
 * The cheap checks made whenever a digest is opened: sections follow one another without gaps to
 * the end of the file and have the lengths that the counts demand.
 */
final class DigestStructure {
  private static final String REBUILD = "copy the file again or build it again";

  private final MemorySegment file;
  private final DigestHeader header;
  private final Map<DigestSection, PlacedSection> found = new EnumMap<>(DigestSection.class);

  private DigestStructure(MemorySegment file, DigestHeader header) {
    this.file = file;
    this.header = header;
  }

  /** Returns the known sections that the digest has. */
  static Map<DigestSection, PlacedSection> check(MemorySegment file, DigestHeader header) {
    DigestStructure structure = new DigestStructure(file, header);
    structure.checkCounts();
    structure.checkPlaces();
    structure.checkLengths();
    return structure.found;
  }

  private void checkCounts() {
    if (header.items() < 0 || header.items() > DigestHeader.MAX_ITEMS) {
      throw wrong(
          DigestHeader.ITEMS_AT,
          "item count " + header.items() + " is not 0 to " + DigestHeader.MAX_ITEMS);
    }
    if (header.objects() < 0 || header.objects() > DigestHeader.MAX_ITEMS) {
      throw wrong(
          DigestHeader.OBJECTS_AT,
          "object count " + header.objects() + " is not 0 to " + DigestHeader.MAX_ITEMS);
    }
    if (header.totalBytes() < 0 || header.largestItem() < 0) {
      throw wrong(
          DigestHeader.TOTAL_BYTES_AT,
          "%d bytes, largest item %d".formatted(header.totalBytes(), header.largestItem()));
    }
    if (header.fileLength() != file.byteSize()) {
      throw wrong(
          Math.min(header.fileLength(), file.byteSize()),
          "the file has %d bytes, its header says %d"
              .formatted(file.byteSize(), header.fileLength()));
    }
  }

  private void checkPlaces() {
    long expected = DigestHeader.length(header.sections().size());
    int previousKind = 0;
    int entryAt = DigestHeader.FIXED_BYTES;
    for (PlacedSection section : header.sections()) {
      boolean inOrder = Integer.compareUnsigned(section.kind(), previousKind) > 0;
      boolean fits = section.bytes() >= 0 && section.bytes() <= file.byteSize() - expected;
      if (!inOrder || !fits || section.position() != expected) {
        throw wrong(
            entryAt,
            "%s lies at %d with %d bytes, expected at %d of %d"
                .formatted(
                    section.label(),
                    section.position(),
                    section.bytes(),
                    expected,
                    file.byteSize()));
      }
      note(section, entryAt);
      previousKind = section.kind();
      expected = section.paddedEnd();
      entryAt += DigestHeader.ENTRY_BYTES;
    }
    if (expected != file.byteSize()) {
      throw wrong(expected, "sections end at " + expected + ", the file at " + file.byteSize());
    }
  }

  private void note(PlacedSection section, int entryAt) {
    DigestSection known = DigestSection.ofKind(section.kind());
    if (known == null) {
      return;
    }
    if (section.width() != known.width()) {
      throw wrong(
          entryAt + 4, known + " has entries of " + section.width() + ", not " + known.width());
    }
    found.put(known, section);
  }

  private void checkLengths() {
    for (DigestSection section : DigestSection.values()) {
      if (section.required() && found.get(section) == null) {
        throw wrong(DigestHeader.FIXED_BYTES, "the section " + section + " is missing");
      }
    }
    requireEntries(DigestSection.HASHES, header.items());
    requireEntries(DigestSection.SIZES, header.items());
    requireEntries(DigestSection.OBJECTS, header.items());
    requireEntries(DigestSection.OFFSETS, header.items());
    requireEntries(DigestSection.LABELS, header.items());
    requireEntries(DigestSection.LENGTHS, header.items());
    requireEntries(DigestSection.OBJECT_NAME_STARTS, header.objects() + 1);
    requireEntries(DigestSection.ITEM_NAME_STARTS, header.items() + 1);
    requireTable(DigestSection.ITEM_NAME_STARTS, DigestSection.ITEM_NAMES);
    requireTable(DigestSection.CLASS_NAME_STARTS, DigestSection.CLASS_NAMES);
    requireTable(DigestSection.METADATA_STARTS, DigestSection.METADATA);
  }

  private void requireEntries(DigestSection section, long count) {
    PlacedSection placed = found.get(section);
    if (placed != null && placed.bytes() != count * section.width()) {
      throw wrong(
          placed.position(),
          "%s has %d bytes, %d entries need %d"
              .formatted(section, placed.bytes(), count, count * section.width()));
    }
  }

  private void requireTable(DigestSection starts, DigestSection bytes) {
    PlacedSection placed = found.get(starts);
    if ((placed == null) != (found.get(bytes) == null)) {
      throw wrong(DigestHeader.FIXED_BYTES, starts + " and " + bytes + " only come together");
    }
    if (placed != null && (placed.bytes() == 0 || placed.bytes() % Long.BYTES != 0)) {
      throw wrong(placed.position(), starts + " has " + placed.bytes() + " bytes");
    }
  }

  private static DigestFormatException wrong(long position, String problem) {
    return new DigestFormatException(position, problem, REBUILD);
  }
}
