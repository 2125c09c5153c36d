package io.quiver.core.engine;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.SeededPermutation;
import java.util.Arrays;

/** Follows every member of a chunk by its name. */
public final class MemberProgress implements ChunkProgress {
  private static final int SPREAD = 0x9E3779B9;

  private final int[] members;
  private int unseenFrom;
  private final IntQueue missing = new IntQueue();
  private final IntQueue elsewhere = new IntQueue();
  private int mine;

  /** Follows these members, which are looked for in this order. */
  public MemberProgress(int[] members) {
    this.members = members;
  }

  /**
   * Returns the progress of a chunk from a starting point of the job's own, in an order without
   * meaning: jobs read from a chunk while it arrives, and jobs that start apart claim apart.
   */
  public static MemberProgress of(int items, int chunks, int chunk, String job) {
    ChunkLayout layout = new ChunkLayout(items, chunks);
    int size = layout.size(chunk);
    int start = size == 0 ? 0 : Math.floorMod(job.hashCode() * SPREAD, size);
    SeededPermutation order = new SeededPermutation(size, chunk);
    int[] members = new int[size];
    for (int place = 0; place < size; place++) {
      members[place] = layout.member(chunk, order.at((start + place) % size));
    }
    return new MemberProgress(members);
  }

  @Override
  public boolean hasUnseen() {
    return unseenFrom < members.length;
  }

  @Override
  public boolean hasMissing() {
    return missing.size() > 0;
  }

  @Override
  public int elsewhere() {
    return elsewhere.size();
  }

  @Override
  public boolean isWhole() {
    return !hasUnseen() && missing.size() == 0 && elsewhere.size() == 0 && mine == 0;
  }

  @Override
  public int[] unseen(int most) {
    return Arrays.copyOfRange(members, unseenFrom, Math.min(members.length, unseenFrom + most));
  }

  @Override
  public void seen(int count) {
    unseenFrom += count;
  }

  @Override
  public void missing(int item) {
    missing.add(item);
  }

  @Override
  public int[] takeMissing(int most) {
    return missing.take(most);
  }

  @Override
  public void fetching(int item) {
    mine++;
  }

  @Override
  public void ended(int item, End end) {
    mine--;
    if (end == End.FAILED) {
      elsewhere.add(item);
    }
  }

  @Override
  public void leave(int item) {
    elsewhere.add(item);
  }

  @Override
  public int[] takeElsewhere(int most) {
    return elsewhere.take(most);
  }

  @Override
  public void reclaim() {
    for (int item : elsewhere.take(elsewhere.size())) {
      missing.add(item);
    }
  }

  /** Holds numbers, first in first out. */
  private static final class IntQueue {
    private int[] values = new int[16];
    private int head;
    private int size;

    int size() {
      return size;
    }

    void add(int value) {
      if (size == values.length) {
        int[] larger = new int[2 * size];
        for (int i = 0; i < size; i++) {
          larger[i] = values[(head + i) & (size - 1)];
        }
        values = larger;
        head = 0;
      }
      values[(head + size++) & (values.length - 1)] = value;
    }

    int[] take(int most) {
      int[] taken = new int[Math.min(most, size)];
      for (int i = 0; i < taken.length; i++) {
        taken[i] = values[(head + i) & (values.length - 1)];
      }
      head = (head + taken.length) & (values.length - 1);
      size -= taken.length;
      return taken;
    }
  }
}
