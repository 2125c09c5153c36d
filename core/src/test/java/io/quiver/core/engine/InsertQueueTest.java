package io.quiver.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class InsertQueueTest {
  private final InsertQueue<String> queue = new InsertQueue<>(3, 10, 20, String::length);

  @Test
  void insertsAreBoundedByItemsAndBytesAndALongItemGoesAlone() {
    for (String each : List.of("a", "b", "c", "dddd", "eeeeeeeeeeee")) {
      assertThat(queue.offer(each)).isTrue();
    }
    assertThat(queue.isFull()).isTrue();
    assertThat(queue.take()).containsExactly("a", "b", "c");
    assertThat(queue.take()).containsExactly("dddd");
    assertThat(queue.take()).containsExactly("eeeeeeeeeeee");
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void whatIsBeingInsertedCountsUntilItIsDone() {
    queue.offer("0123456789");
    queue.offer("0123456789");
    assertThat(queue.offer("x")).isFalse();
    List<String> batch = queue.take();
    assertThat(queue.offer("x")).isFalse();
    queue.inserted(batch);
    assertThat(queue.offer("x")).isTrue();
    assertThat(queue.clear()).containsExactly("0123456789", "x");
  }
}
