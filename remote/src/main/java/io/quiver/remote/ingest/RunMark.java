package io.quiver.remote.ingest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * The progress of a run: the lengths of its columns after a whole number of objects.
 *
 * @param objects objects finished
 * @param items items they gave
 * @param itemNameBytes bytes of the item names
 * @param objectNameBytes bytes of the object names
 * @param versionBytes bytes of the object versions
 * @param emptySkipped empty items left out
 */
record RunMark(
    long objects,
    long items,
    long itemNameBytes,
    long objectNameBytes,
    long versionBytes,
    long emptySkipped) {
  static final int BYTES = 56;
  static final RunMark START = new RunMark(0, 0, 0, 0, 0, 0);

  byte[] toBytes() {
    byte[] bytes = new byte[BYTES];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(objects).putLong(items).putLong(itemNameBytes);
    out.putLong(objectNameBytes).putLong(versionBytes).putLong(emptySkipped);
    out.putLong(crc(bytes));
    return bytes;
  }

  /** Parses a mark; empty if its bytes are torn. */
  static Optional<RunMark> read(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getLong(BYTES - Long.BYTES) != crc(bytes)) {
      return Optional.empty();
    }
    return Optional.of(
        new RunMark(
            in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong()));
  }

  private static long crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, BYTES - Long.BYTES);
    return crc.getValue();
  }
}
