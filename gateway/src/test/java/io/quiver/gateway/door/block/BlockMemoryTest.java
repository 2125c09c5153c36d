package io.quiver.gateway.door.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.SeededRuns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bounds, pins and evictions of blocks. */
@Timeout(60)
final class BlockMemoryTest {
  private static final int BYTES = 4096;

  private static BlockKey key(int number) {
    return new BlockKey("object", "v", number);
  }

  private static BlockMemory memory(int blocks) {
    return new BlockMemory((long) blocks * BYTES, System::nanoTime);
  }

  private static @Nullable Block pin(BlockMemory memory, int number) throws InterruptedException {
    return memory.pin(key(number), BYTES, 0);
  }

  /** Pins a block and fills it with its number if it is new. */
  private static Block filled(BlockMemory memory, int number) throws InterruptedException {
    Block block = Objects.requireNonNull(pin(memory, number));
    if (block.take()) {
      memory.hold(block);
      ByteBuffer bytes = memory.allocate(block);
      for (int i = 0; i < BYTES; i++) {
        bytes.put(i, (byte) number);
      }
      block.filledTo(BYTES);
      memory.letGo(block);
    }
    return block;
  }

  @Test
  void theLeastRecentlyUsedGoesFirstAndPinnedBlocksStay() throws InterruptedException {
    try (BlockMemory memory = memory(3)) {
      Block pinned = filled(memory, 0);
      for (int i = 1; i < 3; i++) {
        memory.unpin(filled(memory, i));
      }
      memory.unpin(filled(memory, 1));
      memory.unpin(filled(memory, 3));
      assertThat(memory.contains(key(0))).isTrue();
      assertThat(memory.contains(key(1))).isTrue();
      assertThat(memory.contains(key(2))).isFalse();
      assertThat(memory.contains(key(3))).isTrue();
      assertThat(memory.usedBytes()).isEqualTo(3L * BYTES);
      memory.unpin(pinned);
    }
  }

  @Test
  void memoryThatIsAllPinnedHasNoPlaceForMore() throws InterruptedException {
    try (BlockMemory memory = memory(2)) {
      Block first = filled(memory, 0);
      Block second = filled(memory, 1);
      assertThat(pin(memory, 2)).isNull();
      assertThat(memory.addAhead(key(2), BYTES)).isNull();
      memory.unpin(first);
      Block third = Objects.requireNonNull(pin(memory, 2));
      memory.unpin(second);
      memory.unpin(third);
    }
  }

  @Test
  void blocksReadAheadTakeAtMostHalf() {
    try (BlockMemory memory = memory(4)) {
      Block first = Objects.requireNonNull(memory.addAhead(key(0), BYTES));
      Block second = Objects.requireNonNull(memory.addAhead(key(1), BYTES));
      assertThat(memory.addAhead(key(1), BYTES)).isNull();
      assertThat(memory.addAhead(key(2), BYTES)).isNull();
      Block read = Objects.requireNonNull(memory.pinPresent(key(0)));
      Block third = Objects.requireNonNull(memory.addAhead(key(2), BYTES));
      assertThat(memory.dropUnread(first)).isFalse();
      memory.allocate(second);
      second.filledTo(10);
      assertThat(memory.dropUnread(second)).isTrue();
      assertThat(memory.contains(key(1))).isFalse();
      assertThat(memory.dropUnread(third)).as("nothing was read for it").isTrue();
      assertThat(memory.wastedAhead()).isEqualTo(1);
      assertThat(memory.wastedAheadBytes()).isEqualTo(10);
      memory.unpin(read);
      List.of(first, second, third).forEach(memory::letGo);
      assertThat(memory.usedBytes()).isZero();
    }
  }

  @Test
  void aFailedBlockIsToldToItsReadersAndGone() throws InterruptedException {
    try (BlockMemory memory = memory(2)) {
      Block block = Objects.requireNonNull(pin(memory, 0));
      assertThat(block.take()).isTrue();
      assertThat(block.take()).isFalse();
      memory.allocate(block);
      block.filledTo(10);
      memory.fail(block, new IOException("lost"));
      assertThat(memory.contains(key(0))).isFalse();
      assertThatThrownBy(() -> block.await(11)).hasMessageContaining("lost");
      try {
        assertThat(block.await(10)).isEqualTo(10);
      } catch (IOException e) {
        throw new AssertionError("bytes that are here stay readable", e);
      }
      memory.unpin(block);
      assertThat(memory.usedBytes()).isZero();
    }
  }

  @Test
  void manyThreadsNeverSeeTheBytesOfAnotherBlock() {
    SeededRuns.run(
        3,
        random -> {
          BlockMemory memory = memory(5);
          try (memory;
              ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
              long seed = random.nextLong();
              runs.add(threads.submit(() -> readBlocks(memory, new Random(seed))));
            }
            Set<Integer> outcomes = new HashSet<>();
            for (Future<Integer> run : runs) {
              outcomes.add(run.get());
            }
            assertThat(outcomes).isNotEmpty();
          }
          assertThat(memory.usedBytes()).isZero();
        });
  }

  private static int readBlocks(BlockMemory memory, Random random) throws Exception {
    int full = 0;
    for (int i = 0; i < 3000; i++) {
      int number = random.nextInt(12);
      Block block = memory.pin(key(number), BYTES, 1_000_000);
      if (block == null) {
        full++;
        continue;
      }
      if (block.take()) {
        memory.hold(block);
        ByteBuffer bytes = memory.allocate(block);
        for (int at = 0; at < BYTES; at++) {
          bytes.put(at, (byte) number);
        }
        block.filledTo(BYTES);
        memory.letGo(block);
      }
      block.await(BYTES);
      int from = random.nextInt(BYTES - 8);
      ByteBuffer view = block.view(from, from + 8);
      while (view.hasRemaining()) {
        if (view.get() != (byte) number) {
          throw new AssertionError("block " + number + " has the bytes of another");
        }
      }
      memory.unpin(block);
      if (memory.usedBytes() > 5L * BYTES) {
        throw new AssertionError(memory.usedBytes() + " bytes of " + 5 * BYTES);
      }
    }
    return full;
  }
}
