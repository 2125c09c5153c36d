package io.quiver.simulator.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Checks that every job gets every item exactly once per epoch, all its processes together. Where
 * items have no names, at least their number must be right. Epochs that follow a list are left to
 * {@link AsListed}.
 */
public final class ExactlyOnce extends Judge {
  private final Map<Integer, Long> datasetItems = new HashMap<>();
  private final Map<Integer, Boolean> datasetNamed = new HashMap<>();
  private final Map<Integer, Reader> readers = new HashMap<>();

  /** The processes of one job; their numbers follow one another. */
  private static final class Reader {
    private final int first;
    private final int[] epochs;
    private final Map<Integer, Epoch> open = new HashMap<>();
    private long items;
    private boolean named;
    private int listedEpoch = -1;

    Reader(int first, int ranks) {
      this.first = first;
      this.epochs = new int[ranks];
    }
  }

  /** The items that all processes of a job have got in an epoch. */
  private static final class Epoch {
    private final long[] seen;
    private long got;
    private int ended;

    Epoch(Reader reader) {
      seen = new long[reader.named ? (int) ((reader.items + 63) >> 6) : 0];
    }
  }

  /** Creates a judge who has seen nothing. */
  public ExactlyOnce() {
    super("every item exactly once per epoch");
  }

  @Override
  public void dataset(long now, int dataset, String name, long items, boolean named) {
    datasetItems.put(dataset, items);
    datasetNamed.put(dataset, named);
  }

  @Override
  public void shared(long now, int job, int first, int ranks) {
    Reader reader = job == first ? new Reader(first, ranks) : reader(first);
    readers.put(job, reader);
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    Reader reader = readers.computeIfAbsent(job, alone -> new Reader(alone, 1));
    reader.items = Objects.requireNonNull(datasetItems.get(dataset));
    reader.named = Boolean.TRUE.equals(datasetNamed.get(dataset));
  }

  private Reader reader(int job) {
    return Objects.requireNonNull(readers.get(job));
  }

  @Override
  public void listed(long now, int job, int epoch, int[] list) {
    reader(job).listedEpoch = epoch;
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    Reader reader = reader(job);
    if (epoch == reader.listedEpoch) {
      return;
    }
    int expected = reader.epochs[job - reader.first];
    if (epoch != expected) {
      broken(now, "job " + job + " gets items of epoch " + epoch + " in epoch " + expected);
    }
    Epoch state = reader.open.computeIfAbsent(epoch, any -> new Epoch(reader));
    state.got += items.length;
    for (int i = 0; i < items.length && state.seen.length > 0; i++) {
      int item = items[i];
      long bit = 1L << item;
      if ((state.seen[item >> 6] & bit) != 0) {
        broken(now, "job " + job + " gets item " + item + " twice in epoch " + epoch);
      }
      state.seen[item >> 6] |= bit;
    }
    if (state.got > reader.items) {
      broken(now, "job " + job + " gets " + state.got + " of " + reader.items + " items");
    }
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    Reader reader = reader(job);
    reader.epochs[job - reader.first] = epoch + 1;
    Epoch state = reader.open.computeIfAbsent(epoch, any -> new Epoch(reader));
    state.ended++;
    if (state.ended < reader.epochs.length) {
      return;
    }
    reader.open.remove(epoch);
    if (epoch != reader.listedEpoch && state.got != reader.items) {
      broken(
          now,
          "job " + job + " got " + state.got + " of " + reader.items + " items in epoch " + epoch);
    }
  }
}
