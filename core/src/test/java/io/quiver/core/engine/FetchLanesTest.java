package io.quiver.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.engine.FetchLanes.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FetchLanesTest {
  private final FetchLanes lanes = new FetchLanes(4, 2);

  private @Nullable Lane enterNext() {
    Lane next = lanes.next();
    if (next != null) {
      lanes.depart(next);
      lanes.enter(next);
    }
    return next;
  }

  @Test
  void theMoreUrgentGoFirstAndPreloadsLeaveTurnsUnused() {
    for (Lane lane : new Lane[] {Lane.PRELOAD, Lane.PRELOAD, Lane.PRELOAD, Lane.AHEAD}) {
      lanes.arrive(lane);
    }
    List<Lane> begun = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      begun.add(enterNext());
    }
    assertThat(begun).containsExactly(Lane.AHEAD, Lane.PRELOAD, Lane.PRELOAD, null);
    assertThat(lanes.active()).isEqualTo(3);
  }

  @Test
  void oneReadInSixteenIsAPreloadWhileBatchesWait() {
    lanes.arrive(Lane.PRELOAD);
    int preloads = 0;
    int reads = 160;
    for (int i = 0; i < reads; i++) {
      lanes.arrive(Lane.DEMAND);
      lanes.arrive(Lane.DEMAND);
      Lane next = Objects.requireNonNull(enterNext());
      lanes.leave(next);
      if (next == Lane.PRELOAD) {
        preloads++;
        lanes.arrive(Lane.PRELOAD);
      }
    }
    assertThat(preloads).isEqualTo(reads / ReadRules.PRELOAD_EVERY);
  }
}
