package io.quiver.remote.ingest;

import io.quiver.remote.RemoteObject;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.Cut.ItemSink;
import io.quiver.remote.ingest.IngestOptions.RecordShape;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts consecutive records of one size, each an item.
 *
 * @param shape where records start, how long they are and where their label is
 * @param labels the object that holds the labels, one byte for each record; null if there is none
 * @param first the first record of this slice
 * @param end the record after the last
 */
record RecordCut(
    RemoteStore store,
    RemoteObject object,
    RecordShape shape,
    @Nullable LabelObject labels,
    long first,
    long end)
    implements Cut {
  private static final byte[] NO_NAME = {};

  /**
   * Labels beside the records.
   *
   * @param start where the first label is
   */
  record LabelObject(String name, long start) {}

  @Override
  public void run(Hasher hasher, ItemSink sink) throws IOException, InterruptedException {
    byte[] outside = outsideLabels();
    long start = offset(first);
    try (InputStream in = store.open(object.name(), start, offset(end) - start)) {
      if (shape.recordBytes() > hasher.buffer().length) {
        oneByOne(in, hasher, sink, outside);
      } else {
        byBuffer(in, hasher, sink, outside);
      }
    }
  }

  private void byBuffer(InputStream in, Hasher hasher, ItemSink sink, byte[] outside)
      throws IOException, InterruptedException {
    byte[] buffer = hasher.buffer();
    int size = shape.recordBytes();
    int perBuffer = buffer.length / size;
    for (long record = first; record < end; record += perBuffer) {
      int count = (int) Math.min(perBuffer, end - record);
      int bytes = count * size;
      requireWhole(in.readNBytes(buffer, 0, bytes), bytes, record);
      for (int i = 0; i < count; i++) {
        hasher.update(buffer, i * size, size);
        int own = shape.labelOffset() < 0 ? -1 : buffer[i * size + shape.labelOffset()] & 0xFF;
        int label = outside.length == 0 ? own : outside[(int) (record + i - first)] & 0xFF;
        sink.add(hasher.finish(), size, offset(record + i), label, NO_NAME);
      }
    }
  }

  private void oneByOne(InputStream in, Hasher hasher, ItemSink sink, byte[] outside)
      throws IOException, InterruptedException {
    for (long record = first; record < end; record++) {
      requireWhole(hasher.update(in, shape.recordBytes()), shape.recordBytes(), record);
      int label = outside.length == 0 ? ownLabel(record) : outside[(int) (record - first)] & 0xFF;
      sink.add(hasher.finish(), shape.recordBytes(), offset(record), label, NO_NAME);
    }
  }

  private int ownLabel(long record) throws IOException {
    if (shape.labelOffset() < 0) {
      return -1;
    }
    byte[] label = new byte[1];
    store.read(object.name(), offset(record) + shape.labelOffset(), ByteBuffer.wrap(label));
    return label[0] & 0xFF;
  }

  private byte[] outsideLabels() throws IOException {
    if (labels == null) {
      return NO_NAME;
    }
    byte[] bytes = new byte[Math.toIntExact(end - first)];
    store.read(labels.name(), labels.start() + first, ByteBuffer.wrap(bytes));
    return bytes;
  }

  private long offset(long record) {
    return shape.headerBytes() + record * shape.recordBytes();
  }

  private void requireWhole(long found, long wanted, long record) throws EOFException {
    if (found != wanted) {
      throw new EOFException(
          "'%s' ended in the records from %d on, though it was listed with %d bytes; run again"
              .formatted(object.name(), record, object.size()));
    }
  }
}
