package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.ingest.IngestOptions.LabelSource;
import io.quiver.remote.ingest.IngestOptions.RecordShape;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordIngestTest {
  private static final String IMAGES = "train-images-idx3-ubyte";
  private static final String LABELS = "train-labels-idx1-ubyte";

  @TempDir Path folder;

  @Test
  void recordsAreItemsWithTheirLabels() throws Exception {
    byte[] first = Ingesting.bytes(new Random(1), 5 + 40 * 3073);
    byte[] second = Ingesting.bytes(new Random(2), 5 + 7 * 3073);
    MemoryObjects store = new MemoryObjects().put("1.bin", first).put("2.bin", second);
    IngestOptions options = Ingesting.options().withRecords(new RecordShape(5, 3073, 1));
    DatasetDigest digest = Ingesting.digest(store, output(), options);
    assertThat(digest.itemCount()).isEqualTo(47);
    checkRecord(digest, 0, first, 5, 3073, first[6] & 0xFF);
    checkRecord(digest, 39, first, 5 + 39 * 3073, 3073, first[6 + 39 * 3073] & 0xFF);
    checkRecord(digest, 40, second, 5, 3073, second[6] & 0xFF);
    assertThat(digest.objectName(digest.objectIndex(40))).isEqualTo("2.bin");
  }

  @Test
  void recordsLargerThanTheBufferKeepTheirLabels() throws Exception {
    int size = Hasher.BUFFER_BYTES + 3;
    byte[] bytes = Ingesting.bytes(new Random(1), 3 * size);
    MemoryObjects store = new MemoryObjects().put("1.bin", bytes);
    IngestOptions options = Ingesting.options().withRecords(new RecordShape(0, size, size - 1));
    DatasetDigest digest = Ingesting.digest(store, output(), options);
    assertThat(digest.itemCount()).isEqualTo(3);
    checkRecord(digest, 2, bytes, 2 * size, size, bytes[3 * size - 1] & 0xFF);
  }

  @Test
  void largeObjectIsSlicedWithoutATrace() throws Exception {
    byte[] bytes = Ingesting.bytes(new Random(1), (1 << 20) + 70_000);
    MemoryObjects store = new MemoryObjects().put("1.bin", bytes);
    IngestOptions options = Ingesting.options().withRecords(new RecordShape(0, 1, 0));
    DatasetDigest digest = Ingesting.digest(store, output(), options);
    assertThat(digest.itemCount()).isEqualTo((1 << 20) + 70_000);
    for (int i : new int[] {0, 12345, (1 << 20) - 1, 1 << 20, (1 << 20) + 69_999}) {
      checkRecord(digest, i, bytes, i, 1, bytes[i] & 0xFF);
    }
  }

  @Test
  void remainderOfARecordIsRefused() {
    MemoryObjects store = new MemoryObjects().put("1.bin", new byte[101]);
    IngestOptions options = Ingesting.options().withRecords(new RecordShape(0, 10, -1));
    assertThatThrownBy(() -> Ingesting.build(store, output(), options))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("'1.bin' has 101 bytes")
        .hasMessageContaining("no multiple of 10");
    IngestOptions longHeader = Ingesting.options().withRecords(new RecordShape(200, 10, -1));
    assertThatThrownBy(() -> Ingesting.build(store, output(), longHeader))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("header of 200");
  }

  @Test
  void idxImagesTakeTheirLabelsFromTheFileBeside() throws Exception {
    byte[] images = idx(3, 50, 4, 5);
    byte[] labels = idx(1, 50);
    MemoryObjects store = new MemoryObjects().put(IMAGES, images).put(LABELS, labels);
    DatasetDigest digest = Ingesting.digest(store, output(), Ingesting.options());
    assertThat(digest.itemCount()).isEqualTo(50);
    assertThat(digest.objectCount()).isEqualTo(1);
    for (int i = 0; i < 50; i++) {
      checkRecord(digest, i, images, 16 + 20 * i, 20, labels[8 + i] & 0xFF);
    }
  }

  @Test
  void idxWithoutLabelsOrWithLabelsSwitchedOffHasNone() throws Exception {
    MemoryObjects store = new MemoryObjects().put(IMAGES, idx(3, 5, 4, 5));
    assertThat(Ingesting.digest(store, output(), Ingesting.options()).hasLabels()).isFalse();
    store.put(LABELS, idx(1, 5));
    IngestOptions none = Ingesting.options().withLabels(LabelSource.NONE);
    assertThat(Ingesting.digest(store, output(), none).hasLabels()).isFalse();
  }

  @Test
  void idxOfWrongSizeMagicOrLabelCountIsRefused() {
    byte[] images = idx(3, 5, 4, 5);
    refused(IMAGES, Arrays.copyOf(images, images.length - 1), "promises 5 records of 20 bytes");
    refused(IMAGES, Arrays.copyOf(images, images.length + 20), "promises 5 records");
    refused(IMAGES, Arrays.copyOf(images, 3), "too few");
    refused(IMAGES, Arrays.copyOf(images, 12), "too few");
    byte[] foreign = images.clone();
    foreign[2] = 0x33;
    refused(IMAGES, foreign, "starts with 00003303");
    byte[] huge = images.clone();
    ByteBuffer.wrap(huge).putInt(8, -1).putInt(12, -1);
    refused(IMAGES, huge, "'" + IMAGES + "'");
    MemoryObjects store = new MemoryObjects().put(IMAGES, images).put(LABELS, idx(1, 4));
    assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("4 labels of 1 bytes for the 5 items");
  }

  @Test
  void compressedIdxIsRefusedWithTheRemedy() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(idx(3, 5, 4, 5));
    }
    refused(IMAGES + ".gz", bytes.toByteArray(), "gunzip -k");
    refused(IMAGES, bytes.toByteArray(), "gunzip -k");
  }

  private void refused(String name, byte[] content, String words) {
    MemoryObjects store = new MemoryObjects().put(name, content);
    assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(words);
  }

  private static void checkRecord(
      DatasetDigest digest, int item, byte[] object, int offset, int size, int label) {
    byte[] record = Arrays.copyOfRange(object, offset, offset + size);
    assertThat(digest.hash(item)).isEqualTo(ContentHash.ofContent(record));
    assertThat(digest.offset(item)).isEqualTo(offset);
    assertThat(digest.size(item)).isEqualTo(size);
    assertThat(digest.label(item)).isEqualTo(label);
  }

  private static byte[] idx(int seed, int... dimensions) {
    int size = Arrays.stream(dimensions).reduce(1, Math::multiplyExact);
    int header = 4 + 4 * dimensions.length;
    ByteBuffer bytes = ByteBuffer.wrap(Ingesting.bytes(new Random(seed), header + size));
    bytes.put((byte) 0).put((byte) 0).put((byte) 8).put((byte) dimensions.length);
    for (int dimension : dimensions) {
      bytes.putInt(dimension);
    }
    return bytes.array();
  }

  private Path output() {
    return folder.resolve("x.qdg");
  }
}
