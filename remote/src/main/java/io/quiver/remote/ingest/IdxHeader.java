package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header of an idx file, the format of MNIST: two zero bytes, a type, the number of dimensions,
 * then the dimensions as big-endian 32-bit numbers.
 *
 * @param dimensions the number of dimensions
 * @param headerBytes where the data starts
 * @param records the first dimension
 * @param recordBytes bytes of one element of the first dimension
 */
record IdxHeader(int dimensions, int headerBytes, long records, long recordBytes) {
  private static final Pattern NAME = Pattern.compile(".*[.-]idx[1-9]-[a-z]+");
  private static final Pattern IMAGES = Pattern.compile("(.*)images(.*)idx[2-9](.*)");
  private static final int MAX_DIMENSIONS = 8;

  /** Returns true if a name looks like that of an idx file. */
  static boolean named(String name) {
    return NAME.matcher(name).matches();
  }

  /**
   * Returns the name of the labels that belong to images of this name; empty if it names no images.
   */
  static String labelsOf(String name) {
    Matcher images = IMAGES.matcher(name);
    return images.matches()
        ? images.group(1) + "labels" + images.group(2) + "idx1" + images.group(3)
        : "";
  }

  /** Reads and checks an object's header against its size. */
  static IdxHeader read(RemoteStore store, RemoteObject object) throws IOException {
    byte[] start = bytes(store, object, 4);
    if (start[0] == 0x1f && start[1] == (byte) 0x8b) {
      throw compressed(object.name());
    }
    int dimensions = start[3];
    if (start[0] != 0
        || start[1] != 0
        || typeBytes(start[2]) == 0
        || dimensions < 1
        || dimensions > MAX_DIMENSIONS) {
      throw new IngestException(
          "'%s' starts with %02x%02x%02x%02x, which no idx file does; choose another kind or exclude it"
              .formatted(object.name(), start[0], start[1], start[2], start[3]));
    }
    int headerBytes = 4 + 4 * dimensions;
    ByteBuffer header = ByteBuffer.wrap(bytes(store, object, headerBytes));
    return of(object, header, dimensions, typeBytes(start[2]));
  }

  private static IdxHeader of(RemoteObject object, ByteBuffer header, int dimensions, int width)
      throws IngestException {
    long records = Integer.toUnsignedLong(header.getInt(4));
    long recordBytes = width;
    for (int i = 1; i < dimensions; i++) {
      long extent = Integer.toUnsignedLong(header.getInt(4 + 4 * i));
      if (Math.multiplyHigh(recordBytes, extent) != 0 || recordBytes * extent < 0) {
        throw new IngestException(
            "'" + object.name() + "' has impossible dimensions in its header");
      }
      recordBytes *= extent;
    }
    int headerBytes = 4 + 4 * dimensions;
    long data = object.size() - headerBytes;
    boolean exact =
        recordBytes == 0 ? data == 0 : data % recordBytes == 0 && data / recordBytes == records;
    if (!exact) {
      throw new IngestException(
          "'%s' has %d bytes, its header promises %d records of %d bytes after %d; fetch it again"
              .formatted(object.name(), object.size(), records, recordBytes, headerBytes));
    }
    return new IdxHeader(dimensions, headerBytes, records, recordBytes);
  }

  /** Returns the error for a compressed file, which cannot be read from the middle. */
  static IngestException compressed(String name) {
    return new IngestException(
        ("'%s' is compressed: items inside cannot be read one by one; decompress it first, for"
                + " example with 'gunzip -k', and digest the result")
            .formatted(name));
  }

  private static int typeBytes(byte type) {
    return switch (type) {
      case 0x08, 0x09 -> 1;
      case 0x0B -> 2;
      case 0x0C, 0x0D -> 4;
      case 0x0E -> 8;
      default -> 0;
    };
  }

  private static byte[] bytes(RemoteStore store, RemoteObject object, int count)
      throws IOException {
    if (object.size() < count) {
      throw new IngestException(
          "'%s' has %d bytes, too few for an idx file; fetch it again"
              .formatted(object.name(), object.size()));
    }
    byte[] bytes = new byte[count];
    store.read(object.name(), 0, ByteBuffer.wrap(bytes));
    return bytes;
  }
}
