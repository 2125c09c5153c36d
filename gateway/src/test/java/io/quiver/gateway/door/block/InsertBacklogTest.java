package io.quiver.gateway.door.block;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The bytes that wait, and the promise that more can be taken. */
final class InsertBacklogTest {
  @Test
  void halfOfTheQueueIsLeftForWhatIsBeingRead() {
    InsertBacklog backlog = new InsertBacklog(100);
    assertThat(backlog.isLow()).isTrue();
    backlog.add(50);
    assertThat(backlog.isLow()).isTrue();
    backlog.add(1);
    assertThat(backlog.isLow()).isFalse();
    backlog.remove(51);
    assertThat(backlog.isLow()).isTrue();
  }
}
