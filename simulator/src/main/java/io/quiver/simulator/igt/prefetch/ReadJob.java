package io.quiver.simulator.igt.prefetch;

/**
 * A program that reads blocks in an order of its own.
 *
 * @param name its name in tables
 * @param files what it reads from
 * @param file the file of each read, in order
 * @param block the block of each read
 * @param thinkNanos the time that it computes between two reads
 * @param readers how many reads it makes at the same time
 * @param lists true if it lists all directories before it reads
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ReadJob(
    String name,
    StoredFiles files,
    int[] file,
    int[] block,
    long thinkNanos,
    int readers,
    boolean lists) {
  /** Returns the number of its reads. */
  public int reads() {
    return file.length;
  }
}
