package io.quiver.djl.example;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Pictures of garments with their labels, as Fashion-MNIST has them. */
final class Images {
  /** The folder of Debian's package dataset-fashion-mnist. */
  static final Path PACKAGED = Path.of("/usr/share/datasets/fashion-mnist");

  static final int SIDE = 28;
  static final int BYTES = SIDE * SIDE;
  static final int CLASSES = 10;

  private static final int IDX_IMAGES = 0x803;
  private static final int IDX_LABELS = 0x801;
  private static final int MOST = 1_000_000;

  private final byte[] pixels;
  private final byte[] labels;

  private Images(byte[] pixels, byte[] labels) {
    this.pixels = pixels;
    this.labels = labels;
  }

  /** Returns 28 × 28 shades of grey for each image, one after the other. */
  byte[] pixels() {
    return pixels;
  }

  /** Returns one of ten classes for each. */
  byte[] labels() {
    return labels;
  }

  /** Returns the number of images. */
  int count() {
    return labels.length;
  }

  /** Returns only the first images, at most this many. */
  Images first(int most) {
    int kept = Math.min(most, count());
    return new Images(Arrays.copyOf(pixels, kept * BYTES), Arrays.copyOf(labels, kept));
  }

  /**
   * Reads a part of the data set.
   *
   * @param folder where its idx files are, compressed or not
   * @param part train or t10k
   */
  static Images read(Path folder, String part) throws IOException {
    Path images = find(folder, part + "-images-idx3-ubyte");
    Path labels = find(folder, part + "-labels-idx1-ubyte");
    Images read = new Images(idx(images, IDX_IMAGES, BYTES), idx(labels, IDX_LABELS, 1));
    if (read.pixels.length != read.count() * BYTES) {
      throw new IOException(
          images + " and " + labels + " do not belong together: they count differently");
    }
    return read;
  }

  private static Path find(Path folder, String name) throws NoSuchFileException {
    for (Path candidate : new Path[] {folder.resolve(name + ".gz"), folder.resolve(name)}) {
      if (Files.isRegularFile(candidate)) {
        return candidate;
      }
    }
    throw new NoSuchFileException(
        "Fashion-MNIST is not in "
            + folder
            + " ("
            + name
            + ".gz is missing). On Debian or Ubuntu: apt install dataset-fashion-mnist. Elsewhere"
            + " put the four idx files into a folder and name it with --data DIR");
  }

  private static byte[] idx(Path file, int magic, int itemBytes) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        DataInputStream in =
            new DataInputStream(
                file.toString().endsWith(".gz") ? new GZIPInputStream(raw, 1 << 16) : raw)) {
      boolean known = in.readInt() == magic;
      int count = known ? in.readInt() : 0;
      for (int side = 0; known && itemBytes > 1 && side < 2; side++) {
        known = in.readInt() == SIDE;
      }
      if (!known || count < 1 || count > MOST) {
        throw new IOException(file + " is no idx file of Fashion-MNIST; fetch it again");
      }
      byte[] numbers = in.readNBytes(count * itemBytes);
      if (numbers.length != count * itemBytes) {
        throw new EOFException(file + " ends early; fetch it again");
      }
      return numbers;
    }
  }
}
