package io.quiver.core.stream.tree;

import io.quiver.core.stream.BlockAccess;
import io.quiver.core.stream.StreamRules;
import io.quiver.core.stream.StreamWindow;
import org.jspecify.annotations.Nullable;

/**
 * The latest reads of one stream and their counts. An item is what is read; a step is a read by a
 * reader that was in another child before.
 */
final class StreamReads {
  private static final int OBJECT_BYTES = 120;
  private static final int NANOS_PER_MILLI = 1_000_000;

  /** Steps of other readers among which a reader's last one is looked for. */
  private static final int LOOK_BACK = 16;

  /** Rates are measured from this part of a window on. */
  private static final int MEASURED_PART = 4;

  private final StreamRules rules;
  private final LeaseEstimate lease = new LeaseEstimate();
  private long count;
  private long plain;
  private long bytes;
  private long last = -1;
  private int dueItems;
  private int dueLong;
  private int dueSteps;
  private int unsent;
  private int readers = 1;
  private @Nullable ReadRing items;
  private @Nullable ReadRing steps;
  private @Nullable ReadRates rates;

  StreamReads(StreamRules rules) {
    this.rules = rules;
  }

  /** Returns a time in milliseconds; the number wraps around after weeks. */
  static int millis(long now) {
    return (int) (now / NANOS_PER_MILLI);
  }

  /** Begins with the counts of another stream. */
  void countAs(StreamReads other) {
    count = other.count;
    plain = 0;
    bytes = other.bytes;
    last = other.last;
  }

  /** Notes a read of the child in a slot, at a place below it. */
  void note(BlockAccess access, int child, int place, int reader, long now) {
    if (last >= 0) {
      lease.note(now - last);
    }
    last = now;
    count++;
    bytes += access.bytes();
    dueItems++;
    dueLong++;
    unsent++;
    items().add(child, place, reader, millis(now));
    measure(access, now);
  }

  private void measure(BlockAccess access, long now) {
    @Nullable ReadRates measured = rates;
    if (measured == null && count > rules.window() / MEASURED_PART) {
      measured = new ReadRates(now);
      rates = measured;
    }
    if (measured != null) {
      measured.note(now, access.fromStore(), access.tookNanos());
    }
  }

  /** Notes that a read is of a child that is no stream: a file of one block. */
  void notePlain() {
    plain++;
  }

  /** Notes a further piece of what was read. */
  void touch(long now) {
    last = now;
  }

  /** Notes that a reader goes over to another child; returns false if it reads on in one. */
  boolean step(int child, int reader, long now) {
    @Nullable ReadRing ring = steps;
    if (ring == null) {
      ring = new ReadRing(rules.window());
      steps = ring;
    }
    for (int age = 0; age < Math.min(LOOK_BACK, ring.size()); age++) {
      if (ring.reader(age) == reader) {
        if (ring.slot(age) == child) {
          return false;
        }
        break;
      }
    }
    ring.add(child, 0, reader, millis(now));
    dueSteps++;
    return true;
  }

  /** Returns the latest reads. */
  ReadRing items() {
    @Nullable ReadRing ring = items;
    if (ring == null) {
      ring = new ReadRing(rules.window());
      items = ring;
    }
    return ring;
  }

  /** Returns the latest steps; null if there were none. */
  @Nullable ReadRing steps() {
    return steps;
  }

  /** Forgets the latest reads, because the numbers of their items mean nothing any more. */
  void forget() {
    if (items != null) {
      items.clear();
    }
    if (steps != null) {
      steps.clear();
    }
  }

  /** Returns true if enough was read since the last analysis. */
  boolean areDue() {
    return dueItems >= rules.window() || dueSteps >= rules.window();
  }

  /** Makes the latest reads due before their time; returns false if there are too few. */
  boolean makeDue() {
    boolean enough = items().size() >= rules.window() && dueItems > 0;
    dueItems = enough ? rules.window() : dueItems;
    return enough;
  }

  /** Returns true once if a window of items is due. */
  boolean takeItems() {
    boolean due = dueItems >= rules.window();
    dueItems = due ? 0 : dueItems;
    return due;
  }

  /** Returns true once if a long window of items is due; only owners of quotas keep so many. */
  boolean takeLong() {
    boolean due = dueLong >= rules.longWindow() && items().size() >= rules.longWindow();
    dueLong = due ? 0 : dueLong;
    return due;
  }

  /** Returns true once if a window of steps is due. */
  boolean takeSteps() {
    boolean due = dueSteps >= rules.window();
    dueSteps = due ? 0 : dueSteps;
    return due;
  }

  long count() {
    return count;
  }

  /** Returns true if most reads are of children that are streams. */
  boolean areInStreams() {
    return 2 * plain <= count;
  }

  /** Returns the mean length of what was read. */
  double meanBytes() {
    return count == 0 ? 0 : (double) bytes / count;
  }

  /** Returns the time of the last read. */
  long last() {
    return last;
  }

  LeaseEstimate lease() {
    return lease;
  }

  @Nullable ReadRates rates() {
    return rates;
  }

  /** Counts the readers of the latest reads. */
  int countReaders() {
    final int most = 64;
    readers = items().readers(rules.window(), most);
    return readers;
  }

  /** Returns how many readers the latest reads had when these were counted. */
  int readers() {
    return readers;
  }

  /** Returns how many reads were not sent yet, as many as may be; counts them as sent. */
  int takeUnsent() {
    int taken = Math.min(Math.min(unsent, StreamWindow.MOST_SENT), items().size());
    unsent = 0;
    return taken;
  }

  long heldBytes() {
    return OBJECT_BYTES
        + (items == null ? 0 : items.heldBytes())
        + (steps == null ? 0 : steps.heldBytes())
        + (rates == null ? 0 : ReadRates.OBJECT_BYTES);
  }
}
