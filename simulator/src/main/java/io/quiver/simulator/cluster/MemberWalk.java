package io.quiver.simulator.cluster;

import io.quiver.core.claim.Claim;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.SeededPermutation;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * A job's way through the members of a chunk: in the order in which a loader goes, from a beginning
 * of the job's own.
 */
final class MemberWalk implements Stock.Walk {
  private static final int GOLDEN = 0x9E3779B9;

  private final Stock stock;
  private final String job;
  private final boolean claims;
  private final ChunkLayout layout;
  private final SeededPermutation order;
  private final int chunk;
  private final int start;
  private final BitSet refused = new BitSet();
  private int[] elsewhere = new int[16];
  private int elsewhereCount;
  private int[] again = new int[0];
  private int againAt;
  private int walked;

  MemberWalk(Stock stock, int items, Space space, String job, boolean claims) {
    this.stock = stock;
    this.job = job;
    this.claims = claims;
    this.layout = new ChunkLayout(items, space.chunks());
    this.chunk = space.chunk();
    int size = layout.size(chunk);
    this.order = new SeededPermutation(size, chunk);
    this.start = size == 0 ? 0 : Math.floorMod(job.hashCode() * GOLDEN, size);
  }

  @Override
  public int[] claim(int most, int look, Owners owners, IntPredicate underWay) {
    int[] claimed = new int[most];
    int count = 0;
    for (int i = 0; i < look && count < most && !seenAll(); i++) {
      int item = next();
      if (refused.get(item) || stock.find(item, owners) != Stock.NOWHERE) {
        continue;
      }
      if (claims && !underWay.test(item) && stock.claim(item, job, owners) == Claim.YOURS) {
        claimed[count++] = item;
      } else {
        await(item);
      }
    }
    return Arrays.copyOf(claimed, count);
  }

  private int next() {
    if (againAt < again.length) {
      return again[againAt++];
    }
    return layout.member(chunk, order.at((start + walked++) % order.size()));
  }

  private void await(int item) {
    if (elsewhereCount == elsewhere.length) {
      elsewhere = Arrays.copyOf(elsewhere, 2 * elsewhereCount);
    }
    elsewhere[elsewhereCount++] = item;
  }

  @Override
  public boolean seenAll() {
    return walked == order.size() && againAt == again.length;
  }

  @Override
  public int awaited() {
    return elsewhereCount;
  }

  @Override
  public boolean lookAgain(int look, Owners owners) {
    int seen = Math.min(look, elsewhereCount);
    int absent = 0;
    for (int i = 0; i < seen; i++) {
      int item = elsewhere[i];
      if (stock.find(item, owners) == Stock.NOWHERE) {
        elsewhere[absent++] = item;
      }
    }
    int[] seenAbsent = Arrays.copyOf(elsewhere, absent);
    System.arraycopy(elsewhere, seen, elsewhere, 0, elsewhereCount - seen);
    elsewhereCount -= seen;
    for (int item : seenAbsent) {
      await(item);
    }
    return absent < seen;
  }

  @Override
  public void reclaim() {
    again = Arrays.copyOf(elsewhere, elsewhereCount);
    againAt = 0;
    elsewhereCount = 0;
  }

  @Override
  public void refused(int[] items, int here, Owners owners) {
    for (int item : items) {
      if (stock.find(item, owners) == Stock.NOWHERE) {
        refused.set(item);
      }
    }
  }
}
