package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.engine.FetchLanes.Lane;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class FetchGateTest {
  private final BlockingQueue<Lane> entered = new LinkedBlockingQueue<>();

  private Thread enter(FetchGate gate, Lane lane) throws InterruptedException {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                gate.enter(lane);
                entered.add(lane);
              } catch (InterruptedIOException e) {
                return; // Closed before its turn.
              }
            });
    while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
    return thread;
  }

  private Lane next() throws InterruptedException {
    return entered.poll(30, TimeUnit.SECONDS);
  }

  @Test
  void theMoreUrgentGoFirst() throws Exception {
    FetchGate gate = new FetchGate(new StoreReads(1, 1));
    gate.enter(Lane.DEMAND);
    List<Thread> threads = new ArrayList<>();
    for (Lane lane : new Lane[] {Lane.PRELOAD, Lane.AHEAD, Lane.DEMAND}) {
      threads.add(enter(gate, lane));
    }
    gate.leave(Lane.DEMAND);
    for (Lane lane : Lane.values()) {
      assertThat(next()).isEqualTo(lane);
      gate.leave(lane);
    }
    assertThat(threads).hasSize(3);
  }

  @Test
  void allRoomIsUsedAgainAfterUrgentReads() throws Exception {
    FetchGate gate = new FetchGate(new StoreReads(4, 3));
    for (int i = 0; i < 4; i++) {
      gate.enter(Lane.DEMAND);
    }
    for (int i = 0; i < 3; i++) {
      enter(gate, Lane.PRELOAD);
    }
    enter(gate, Lane.DEMAND);
    gate.leave(Lane.DEMAND);
    gate.leave(Lane.DEMAND);
    gate.leave(Lane.DEMAND);
    gate.leave(Lane.DEMAND);
    List<Lane> in = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      in.add(next());
    }
    assertThat(in).containsExactlyInAnyOrder(Lane.DEMAND, Lane.PRELOAD, Lane.PRELOAD, Lane.PRELOAD);
  }

  @Test
  void aPreloadGetsATurnHoweverManyBatchesWait() throws Exception {
    FetchGate gate = new FetchGate(new StoreReads(1, 1));
    gate.enter(Lane.DEMAND);
    enter(gate, Lane.PRELOAD);
    for (int i = 0; i < 20; i++) {
      enter(gate, Lane.DEMAND);
    }
    List<Lane> order = new ArrayList<>();
    Lane last = Lane.DEMAND;
    for (int i = 0; i < 21; i++) {
      gate.leave(last);
      last = next();
      order.add(last);
    }
    assertThat(order.indexOf(Lane.PRELOAD)).isEqualTo(14);
  }

  @Test
  void closingTurnsAwayWhoWaits() throws Exception {
    FetchGate gate = new FetchGate(new StoreReads(1, 1));
    gate.enter(Lane.DEMAND);
    Thread waiting = enter(gate, Lane.PRELOAD);
    assertThat(gate.close(Duration.ofMillis(1))).isFalse();
    waiting.join();
    assertThat(entered).isEmpty();
    gate.leave(Lane.DEMAND);
    assertThat(gate.close(Duration.ofMillis(1))).isTrue();
  }
}
