package io.quiver.simulator.check;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Checks that every job gets every item exactly once per epoch. Where items have no names, at least
 * their number must be right. Epochs that follow a list are left to {@link AsListed}.
 */
public final class ExactlyOnce extends Judge {
  private final Map<Integer, Long> datasetItems = new HashMap<>();
  private final Map<Integer, Boolean> datasetNamed = new HashMap<>();
  private final Map<Integer, Reader> readers = new HashMap<>();

  /** The items that a job has got in its epoch. */
  private static final class Reader {
    private final long items;
    private final long[] seen;
    private int epoch;
    private int listedEpoch = -1;
    private long got;

    Reader(long items, boolean named) {
      this.items = items;
      this.seen = new long[named ? (int) ((items + 63) >> 6) : 0];
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
  public void jobStarted(long now, int job, String name, int dataset) {
    long items = Objects.requireNonNull(datasetItems.get(dataset));
    readers.put(job, new Reader(items, Boolean.TRUE.equals(datasetNamed.get(dataset))));
  }

  @Override
  public void listed(long now, int job, int epoch, int[] list) {
    Objects.requireNonNull(readers.get(job)).listedEpoch = epoch;
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    Reader reader = Objects.requireNonNull(readers.get(job));
    if (epoch == reader.listedEpoch) {
      return;
    }
    if (epoch != reader.epoch) {
      broken(now, "job " + job + " gets items of epoch " + epoch + " in epoch " + reader.epoch);
    }
    reader.got += items.length;
    for (int i = 0; i < items.length && reader.seen.length > 0; i++) {
      int item = items[i];
      long bit = 1L << item;
      if ((reader.seen[item >> 6] & bit) != 0) {
        broken(now, "job " + job + " gets item " + item + " twice in epoch " + epoch);
      }
      reader.seen[item >> 6] |= bit;
    }
    if (reader.got > reader.items) {
      broken(now, "job " + job + " gets " + reader.got + " of " + reader.items + " items");
    }
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    Reader reader = Objects.requireNonNull(readers.get(job));
    if (epoch != reader.listedEpoch && reader.got != reader.items) {
      broken(
          now,
          "job " + job + " got " + reader.got + " of " + reader.items + " items in epoch " + epoch);
    }
    reader.epoch = epoch + 1;
    reader.got = 0;
    java.util.Arrays.fill(reader.seen, 0);
  }
}
