package io.quiver.core.dataset;

/**
 * One line of a digest's table of sections.
 *
 * @param kind which section, see {@link DigestSection#kind()}
 * @param width bytes of one entry
 * @param position where it starts in the file, a multiple of 8
 * @param bytes how long it is, without the zeros that pad it to a multiple of 8
 * @param crc the CRC-32 of those bytes
 */
public record PlacedSection(int kind, int width, long position, long bytes, int crc) {

  /** Returns where the next section starts: the end, rounded up to a multiple of 8. */
  public long paddedEnd() {
    return position + ((bytes + 7) & ~7L);
  }

  /** Returns how the section is called in messages. */
  String label() {
    DigestSection section = DigestSection.ofKind(kind);
    return section == null ? "section " + kind : section.name();
  }

  PlacedSection withCrc(int value) {
    return new PlacedSection(kind, width, position, bytes, value);
  }
}
