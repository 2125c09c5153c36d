package io.quiver.djl;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.core.hash.ContentHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * A data set of two classes that a network can tell apart: noise that is brighter on the left or on
 * the right. All items are records of one file.
 */
final class Stripes {
  static final int SIDE = 8;
  static final int BYTES = SIDE * SIDE;
  static final String OBJECT = "stripes.bin";

  private final byte[][] contents;
  private final DatasetDigest digest;
  private final Path folder;

  private Stripes(byte[][] contents, DatasetDigest digest, Path folder) {
    this.contents = contents;
    this.digest = digest;
    this.folder = folder;
  }

  static Stripes make(Path folder, int items, long seed) throws IOException {
    Random random = new Random(seed);
    byte[][] contents = new byte[items][];
    DigestEncoder encoder = new DigestEncoder();
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    for (int item = 0; item < items; item++) {
      contents[item] = content(item % 2, random);
      encoder.add(
          new DigestItem(
              ContentHash.ofContent(contents[item]),
              BYTES,
              OBJECT,
              object.size(),
              "",
              item % 2,
              DigestItem.NONE));
      object.write(contents[item]);
    }
    Files.createDirectories(folder);
    Files.write(folder.resolve(OBJECT), object.toByteArray());
    encoder.metadata(DigestMetadata.SOURCE, folder.toUri().toString());
    return new Stripes(contents, DatasetDigest.open(encoder.encode()), folder);
  }

  private static byte[] content(int label, Random random) {
    byte[] pixels = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      boolean bright = (i % SIDE < SIDE / 2) == (label == 0);
      pixels[i] = (byte) (random.nextInt(160) + (bright ? 90 : 0));
    }
    return pixels;
  }

  int items() {
    return contents.length;
  }

  byte[] content(int item) {
    return contents[item];
  }

  DatasetDigest digest() {
    return digest;
  }

  Path file() {
    return folder.resolve(OBJECT);
  }

  static TensorDecoder decoder() {
    return new TensorDecoder(new Shape(1, SIDE, SIDE), DataType.UINT8);
  }

  /** Returns a data set of them, without a cache until one is named. */
  QuiverDatasetBuilder dataset() {
    return QuiverDataset.builder()
        .setDigest(digest)
        .setBatchDecoder(decoder())
        .optBatchSize(16)
        .optSeed(7);
  }
}
