package io.quiver.benchmarks.serve;

import java.util.List;

/**
 * One shape of reading: batches of equally long blobs, drawn from a set in random order.
 *
 * @param bytes the length of a blob
 * @param batch how many blobs are asked for at once
 * @param blobs how many there are to draw from
 */
public record ServeWorkload(int bytes, int batch, int blobs) {
  /** Checks that a batch can be drawn. */
  public ServeWorkload {
    if (bytes < 1 || batch < 1 || blobs < 2 * batch) {
      throw new IllegalArgumentException(
          "batches of " + batch + " x " + bytes + " bytes cannot be drawn from " + blobs);
    }
  }

  /** Returns the three shapes of the standard run, each over about this many bytes. */
  public static List<ServeWorkload> standard(long setBytes) {
    return List.of(
        over(3_000, 512, setBytes), over(20_000, 512, setBytes), over(150_000, 128, setBytes));
  }

  private static ServeWorkload over(int bytes, int batch, long setBytes) {
    return new ServeWorkload(bytes, batch, (int) Math.max(2L * batch, setBytes / bytes));
  }

  /** Returns the length of all blobs together. */
  public long setBytes() {
    return (long) bytes * blobs;
  }

  @Override
  public String toString() {
    return batch + " x " + (bytes % 1000 == 0 ? bytes / 1000 + " KB" : bytes + " B");
  }
}
