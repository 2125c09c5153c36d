package io.quiver.simulator.check;

import java.util.HashMap;
import java.util.Map;

/** Checks that a job gets, in an epoch that follows a list, exactly the entries of the list. */
public final class AsListed extends Judge {
  private final Map<Integer, Reader> readers = new HashMap<>();

  /** The entries that a job has yet to get in an epoch, by item. */
  private record Reader(int epoch, Map<Integer, Integer> lacking) {}

  /** Creates a judge who has seen nothing. */
  public AsListed() {
    super("every entry of a list exactly once");
  }

  @Override
  public void listed(long now, int job, int epoch, int[] list) {
    Map<Integer, Integer> lacking = new HashMap<>();
    for (int item : list) {
      lacking.merge(item, 1, Integer::sum);
    }
    readers.put(job, new Reader(epoch, lacking));
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    Reader reader = readers.get(job);
    if (reader == null || reader.epoch != epoch) {
      return;
    }
    for (int item : items) {
      int left = reader.lacking.merge(item, -1, Integer::sum);
      if (left < 0) {
        broken(now, "job " + job + " gets item " + item + " too often in epoch " + epoch);
      }
      if (left == 0) {
        reader.lacking.remove(item);
      }
    }
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    Reader reader = readers.get(job);
    if (reader != null && reader.epoch == epoch) {
      int missing = reader.lacking.values().stream().mapToInt(left -> Math.max(0, left)).sum();
      if (missing > 0) {
        broken(now, "job " + job + " lacks " + missing + " entries of epoch " + epoch);
      }
      readers.remove(job);
    }
  }
}
