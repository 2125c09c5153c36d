package io.quiver.remote.ingest;

import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the progress of a build or a verification.
 *
 * <p>Workers only count; whoever shows progress takes a {@link #snapshot()} as often as it likes,
 * on its own thread. Totals are known once the store is listed to the end.
 */
public final class DigestProgress {
  private final LongAdder objectsDone = new LongAdder();
  private final LongAdder itemsDone = new LongAdder();
  private final LongAdder bytesDone = new LongAdder();
  private final LongAdder bytesReused = new LongAdder();
  private final LongAdder objectsListed = new LongAdder();
  private final LongAdder bytesListed = new LongAdder();
  private volatile boolean listed;
  private volatile Phase phase = Phase.READING;

  /** The phases of a build. */
  public enum Phase {
    /** Objects are read and hashed. */
    READING,
    /** The output is put together. */
    WRITING,
    /** All done. */
    DONE
  }

  /**
   * The progress at one moment.
   *
   * @param objectsDone objects finished, those of an earlier run included
   * @param itemsDone items finished
   * @param bytesDone bytes finished, including {@code bytesReused}
   * @param bytesReused bytes an earlier run had finished already; leave them out of rates
   * @param objectsTotal all objects, once known
   * @param bytesTotal all bytes, once known
   */
  public record Snapshot(
      Phase phase,
      long objectsDone,
      long itemsDone,
      long bytesDone,
      long bytesReused,
      OptionalLong objectsTotal,
      OptionalLong bytesTotal) {}

  /** Returns the current counts. */
  public Snapshot snapshot() {
    boolean known = listed;
    return new Snapshot(
        phase,
        objectsDone.sum(),
        itemsDone.sum(),
        bytesDone.sum(),
        bytesReused.sum(),
        known ? OptionalLong.of(objectsListed.sum()) : OptionalLong.empty(),
        known ? OptionalLong.of(bytesListed.sum()) : OptionalLong.empty());
  }

  void objectListed(long bytes) {
    objectsListed.increment();
    bytesListed.add(bytes);
  }

  void listingComplete() {
    listed = true;
  }

  void total(long objects, long bytes) {
    objectsListed.add(objects);
    bytesListed.add(bytes);
    listed = true;
  }

  void objectDone() {
    objectsDone.increment();
  }

  void itemsDone(long count) {
    itemsDone.add(count);
  }

  void bytesDone(long count) {
    bytesDone.add(count);
  }

  void bytesReused(long count) {
    bytesReused.add(count);
    bytesDone.add(count);
  }

  void phase(Phase value) {
    phase = value;
  }
}
