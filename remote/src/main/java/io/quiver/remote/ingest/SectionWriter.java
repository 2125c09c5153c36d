package io.quiver.remote.ingest;

import io.quiver.core.dataset.PlacedSection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.zip.CRC32;

/** Writes one section of a digest to its place and computes its CRC on the way. */
final class SectionWriter {
  private static final int BUFFER_BYTES = 1 << 18;

  private final FileChannel out;
  private final PlacedSection section;
  private final CRC32 crc = new CRC32();
  private final ByteBuffer buffer =
      ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long written;

  SectionWriter(FileChannel out, PlacedSection section) {
    this.out = out;
    this.section = section;
  }

  void putInt(int value) throws IOException {
    buffer(Integer.BYTES).putInt(value);
  }

  void putLong(long value) throws IOException {
    buffer(Long.BYTES).putLong(value);
  }

  void put(ByteBuffer bytes) throws IOException {
    if (bytes.remaining() > buffer.remaining()) {
      flush(buffer.flip());
      buffer.clear();
    }
    if (bytes.remaining() > buffer.remaining()) {
      flush(bytes);
    } else {
      buffer.put(bytes);
    }
  }

  /** Writes the rest and the padding, and returns the CRC of the bytes without the padding. */
  int finish() throws IOException {
    flush(buffer.flip());
    if (written != section.bytes()) {
      throw new IllegalStateException(
          "section %d got %d bytes, %d were planned"
              .formatted(section.kind(), written, section.bytes()));
    }
    int value = (int) crc.getValue();
    flush(ByteBuffer.allocate((int) (section.paddedEnd() - section.position() - written)));
    return value;
  }

  private ByteBuffer buffer(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush(buffer.flip());
      buffer.clear();
    }
    return buffer;
  }

  private void flush(ByteBuffer bytes) throws IOException {
    crc.update(bytes.duplicate());
    while (bytes.hasRemaining()) {
      written += out.write(bytes, section.position() + written);
    }
  }
}
