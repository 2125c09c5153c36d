package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many reads at once: each outcome belongs to its read, whatever else goes wrong. */
final class ReadQueueTest {
  private static final int PAGE = Libc.PAGE_BYTES;
  private static final int PAGES = 200;

  @TempDir Path directory;

  private final byte[] content = new byte[PAGES * PAGE + 100];
  private final MemorySegment target = Libc.pages((long) PAGES * PAGE);
  private int descriptor;
  private ReadQueue queue;

  @BeforeEach
  void open() throws IOException {
    new Random(7).nextBytes(content);
    Path file = Files.write(directory.resolve("file"), content);
    descriptor = Libc.openForDirectReads(file);
    Optional<ReadQueue> opened = ReadQueue.open();
    assumeTrue(descriptor >= 0 && opened.isPresent(), "no reads past the page cache here");
    queue = opened.orElseThrow();
  }

  @AfterEach
  void close() {
    if (descriptor >= 0) {
      Libc.close(descriptor);
    }
    Libc.free(target);
  }

  @Test
  void everyReadBringsItsOwnBytes() {
    int next = 0;
    int done = 0;
    while (done < PAGES) {
      for (; next < PAGES && queue.hasRoom(); next++) {
        add(next, descriptor, PAGES - 1 - next);
      }
      int outcomes = queue.exchange(5);
      assertThat(outcomes).isPositive();
      for (int i = 0; i < outcomes; i++) {
        assertThat(queue.result(i)).isEqualTo(PAGE);
        assertThat(page(queue.tag(i))).isEqualTo(expected(PAGES - 1 - queue.tag(i)));
      }
      done += outcomes;
    }
    assertThat(queue.isEmpty()).isTrue();
    queue.close();
  }

  @Test
  void aReadBehindTheEndIsShort() {
    add(3, descriptor, PAGES);
    assertThat(queue.exchange(1)).isEqualTo(1);
    assertThat(queue.tag(0)).isEqualTo(3);
    assertThat(queue.result(0)).isEqualTo(100);
    queue.close();
  }

  @Test
  void aReadTheKernelRefusesIsAnOutcomeLikeOthers() {
    add(0, descriptor, 0);
    add(1, -1, 1);
    boolean[] seen = new boolean[2];
    while (!seen[0] || !seen[1]) {
      int outcomes = queue.exchange(1);
      for (int i = 0; i < outcomes; i++) {
        int tag = queue.tag(i);
        seen[tag] = true;
        assertThat(queue.result(i) < 0).as("read %d refused", tag).isEqualTo(tag == 1);
      }
    }
    assertThat(page(0)).isEqualTo(expected(0));
    assertThat(queue.isEmpty()).isTrue();
    queue.close();
  }

  @Test
  void closingWaitsForReadsUnderWay() {
    for (int i = 0; i < ReadQueue.DEPTH; i++) {
      add(i, descriptor, i);
    }
    int outcomes = queue.exchange(1);
    assertThat(outcomes).isPositive();
    queue.close();
    for (int i = 0; i < ReadQueue.DEPTH; i++) {
      assertThat(page(i)).isEqualTo(expected(i));
    }
  }

  private void add(int tag, int from, int page) {
    MemorySegment slice = target.asSlice((long) tag * PAGE, PAGE);
    queue.add(tag, from, slice, PAGE, (long) page * PAGE);
  }

  private byte[] page(int tag) {
    return target.asSlice((long) tag * PAGE, PAGE).toArray(ValueLayout.JAVA_BYTE);
  }

  private byte[] expected(int page) {
    return Arrays.copyOfRange(content, page * PAGE, (page + 1) * PAGE);
  }
}
