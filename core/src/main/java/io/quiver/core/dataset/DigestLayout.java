package io.quiver.core.dataset;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the place of each section of a digest from their lengths alone.
 *
 * <p>Writers place the sections first, write them in any order, and the header last: a file without
 * its header is no digest, so a writer that dies leaves nothing that could be taken for one.
 */
public final class DigestLayout {
  private final Map<DigestSection, PlacedSection> sections;
  private final long fileLength;

  private DigestLayout(Map<DigestSection, PlacedSection> sections, long fileLength) {
    this.sections = Collections.unmodifiableMap(sections);
    this.fileLength = fileLength;
  }

  /** Places sections of these lengths one after the other, each at a multiple of 8. */
  public static DigestLayout of(Map<DigestSection, Long> lengths) {
    EnumMap<DigestSection, PlacedSection> placed = new EnumMap<>(DigestSection.class);
    long position = DigestHeader.length(lengths.size());
    for (DigestSection section : DigestSection.values()) {
      Long bytes = lengths.get(section);
      if (bytes != null) {
        PlacedSection next = new PlacedSection(section.kind(), section.width(), position, bytes, 0);
        placed.put(section, next);
        position = next.paddedEnd();
      }
    }
    return new DigestLayout(placed, position);
  }

  /**
   * Returns the sections with their places, in the order they lie in the file; CRCs are still zero.
   */
  public Map<DigestSection, PlacedSection> sections() {
    return sections;
  }

  /** Returns the length of the whole file. */
  public long fileLength() {
    return fileLength;
  }

  /** Returns the table of sections with the CRC of each section's bytes filled in. */
  public List<PlacedSection> withCrcs(Map<DigestSection, Integer> crcs) {
    List<PlacedSection> complete = new ArrayList<>();
    for (Map.Entry<DigestSection, PlacedSection> entry : sections.entrySet()) {
      Integer crc = crcs.get(entry.getKey());
      if (crc == null) {
        throw new IllegalArgumentException("no CRC was given for " + entry.getKey());
      }
      complete.add(entry.getValue().withCrc(crc));
    }
    return complete;
  }
}
