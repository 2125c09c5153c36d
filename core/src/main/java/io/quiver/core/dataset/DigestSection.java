package io.quiver.core.dataset;

import org.jspecify.annotations.Nullable;

/**
 * The columns and tables a digest is made of, in the order they lie in the file.
 *
 * <p>A table of strings takes two sections: where each string starts (one more entry than there are
 * strings) and the UTF-8 bytes themselves.
 */
public enum DigestSection {
  /** SHA-256 of each item, 32 bytes. */
  HASHES(1, 32, true),
  /** Bytes of each item, int64. */
  SIZES(2, 8, true),
  /** The object each item lies in: an index into the object names, int32. */
  OBJECTS(3, 4, true),
  /** The offset of each item in its object, int64. */
  OFFSETS(4, 8, true),
  /** Class of each item, int32; -1 where an item has none. */
  LABELS(5, 4, false),
  /** Length of each item in units of the data set (words, frames), int32; -1 where unknown. */
  LENGTHS(6, 4, false),
  /** Starts of the object names, int64. */
  OBJECT_NAME_STARTS(7, 8, true),
  /** The object names in UTF-8. */
  OBJECT_NAMES(8, 1, true),
  /** Starts of the item names, int64. */
  ITEM_NAME_STARTS(9, 8, false),
  /** The item names (members of archives) in UTF-8. */
  ITEM_NAMES(10, 1, false),
  /** Starts of the class names, int64. */
  CLASS_NAME_STARTS(11, 8, false),
  /** The class names in UTF-8; the n-th is the name of label n. */
  CLASS_NAMES(12, 1, false),
  /** Starts of the metadata strings, int64. */
  METADATA_STARTS(13, 8, true),
  /** Metadata: key, value, key, value… in UTF-8. */
  METADATA(14, 1, true);

  private final int kind;
  private final int width;
  private final boolean required;

  DigestSection(int kind, int width, boolean required) {
    this.kind = kind;
    this.width = width;
    this.required = required;
  }

  /** Returns the number that stands for this section in the file. */
  public int kind() {
    return kind;
  }

  /** Returns the bytes of one entry. */
  public int width() {
    return width;
  }

  /** Returns true if every digest has it. */
  public boolean required() {
    return required;
  }

  /**
   * Returns the section of this number; null for one of a later version, which readers pass over.
   */
  static @Nullable DigestSection ofKind(int kind) {
    for (DigestSection section : values()) {
      if (section.kind == kind) {
        return section;
      }
    }
    return null;
  }
}
