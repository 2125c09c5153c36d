package io.quiver.remote.ingest;

/**
 * How objects made of fixed-size records are cut.
 *
 * @param headerBytes bytes before the first record
 * @param recordBytes bytes of one record, label included
 * @param labelOffset where in a record its one-byte label is, or {@link #NO_LABEL}
 */
public record RecordShape(long headerBytes, int recordBytes, int labelOffset) {
  /** Records carry no label. */
  public static final int NO_LABEL = -1;

  /** Checks the ranges. */
  public RecordShape {
    if (headerBytes < 0) {
      throw new IllegalArgumentException("header bytes cannot be negative: " + headerBytes);
    }
    if (recordBytes < 1) {
      throw new IllegalArgumentException(
          "a record has at least one byte, not " + recordBytes + "; say how long records are");
    }
    if (labelOffset < NO_LABEL || labelOffset >= recordBytes) {
      throw new IllegalArgumentException(
          "label offset " + labelOffset + " is outside a record of " + recordBytes + " bytes");
    }
  }
}
