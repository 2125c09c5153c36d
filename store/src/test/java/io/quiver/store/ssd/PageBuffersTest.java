package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.store.ssd.PageBuffers.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Buffers of every length from slabs: aligned, never lent twice, reused, bounded. */
final class PageBuffersTest {
  private static final long SLAB = Libc.HUGE_PAGE_BYTES;

  @Test
  void lentBuffersAreAlignedLongEnoughAndNeverOverlap() {
    long seed = Long.getLong("quiver.test.seed", 17);
    Random random = new Random(seed);
    List<Buffer> lent = new ArrayList<>();
    List<Integer> marks = new ArrayList<>();
    try (PageBuffers buffers = new PageBuffers(8 * SLAB)) {
      for (int i = 0; i < 20_000; i++) {
        if (!lent.isEmpty() && random.nextInt(100) < (lent.size() > 300 ? 60 : 45)) {
          int at = random.nextInt(lent.size());
          Buffer buffer = lent.set(at, lent.getLast());
          lent.removeLast();
          int mark = marks.set(at, marks.getLast());
          marks.removeLast();
          assertThat(buffer.view().getInt(0)).as("seed %d", seed).isEqualTo(mark);
          int last = buffer.view().capacity() - Integer.BYTES;
          assertThat(buffer.view().getInt(last)).as("seed %d", seed).isEqualTo(mark);
          buffers.giveBack(buffer);
        } else {
          int pages = 1 + random.nextInt(random.nextInt(50) == 0 ? 258 : 40);
          long bytes = (long) pages * Libc.PAGE_BYTES;
          Buffer buffer = buffers.borrow(bytes);
          assertThat(buffer.memory().address() % Libc.PAGE_BYTES).isZero();
          assertThat(buffer.memory().byteSize()).isGreaterThanOrEqualTo(bytes);
          buffer.view().putInt(0, i);
          buffer.view().putInt(buffer.view().capacity() - Integer.BYTES, i);
          lent.add(buffer);
          marks.add(i);
        }
      }
      lent.forEach(buffers::giveBack);
    }
  }

  @Test
  void memoryIsUsedAgainAlsoForAnotherLength() {
    try (PageBuffers buffers = new PageBuffers(SLAB)) {
      Buffer small = buffers.borrow(24 << 10);
      long from = small.memory().address() & -SLAB;
      buffers.giveBack(small);
      Buffer large = buffers.borrow(160 << 10);
      assertThat(large.memory().address() & -SLAB).isEqualTo(from);
      Buffer beyond = buffers.borrow(24 << 10);
      assertThat(beyond.memory().address() & -SLAB).as("all slabs are in use").isNotEqualTo(from);
      buffers.giveBack(beyond);
      buffers.giveBack(large);
    }
  }

  @Test
  void aBufferMayComeBackAfterTheEnd() {
    PageBuffers buffers = new PageBuffers(SLAB);
    Buffer first = buffers.borrow(4096);
    Buffer second = buffers.borrow(4096);
    buffers.close();
    buffers.giveBack(first);
    second.view().putInt(0, 5);
    assertThat(second.view().getInt(0)).isEqualTo(5);
    buffers.giveBack(second);
  }
}
