package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.StreamRules;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class ForwardRunsTest {
  private static final int DEPTH = 64;

  /** Reads a place and returns the places that are read ahead for it. */
  private static BitSet ahead(ForwardRuns runs, int place) {
    BitSet ahead = new BitSet();
    if (runs.note(place, DEPTH)) {
      for (int next = runs.from(); next <= runs.to(DEPTH); next += runs.stride()) {
        if (!runs.isRead(next)) {
          ahead.set(next);
        }
        runs.reached(next);
      }
    }
    return ahead;
  }

  @Test
  void workersSideBySideAreReadAheadOfWithoutReadingAgainWhatAnotherHasRead() {
    int workers = 8;
    int batch = 32;
    ForwardRuns runs = new ForwardRuns();
    BitSet read = new BitSet();
    int again = 0;
    for (int first = 0; first < 16 * workers * batch; first += workers * batch) {
      for (int i = 0; i < batch; i++) {
        for (int worker = 0; worker < workers; worker++) {
          int place = first + worker * batch + i;
          read.set(place);
          BitSet ahead = ahead(runs, place);
          ahead.and(read);
          again += ahead.cardinality();
        }
      }
    }
    assertThat(again).isZero();
  }

  @Test
  void whatFollowsIsReadAheadAfterStepsThatLookedLikeAStride() {
    ForwardRuns runs = new ForwardRuns();
    for (int place = 0; place < 10 * 32; place += 32) {
      ahead(runs, place);
    }
    BitSet ahead = new BitSet();
    for (int place = 10 * 32; place < 10 * 32 + 20; place++) {
      ahead.or(ahead(runs, place));
    }
    assertThat(ahead.get(10 * 32 + 20, 10 * 32 + 60).cardinality()).isEqualTo(40);
  }

  @Test
  void aSecondPassIsReadAheadOfLikeTheFirst() {
    ForwardRuns runs = new ForwardRuns();
    for (int pass = 0; pass < 2; pass++) {
      BitSet ahead = new BitSet();
      for (int place = 0; place < 1000; place++) {
        ahead.or(ahead(runs, place));
      }
      assertThat(ahead.get(10, 1000).cardinality()).as("pass %d", pass).isGreaterThan(980);
    }
  }

  @Test
  void depthGrowsOnlyWhileReadersWait() {
    DepthControl depth = new DepthControl(StreamRules.STANDARD);
    int first = depth.depth();
    for (int i = 0; i < 1000; i++) {
      depth.issued();
      depth.used(false);
    }
    assertThat(depth.depth()).isEqualTo(first);
    for (int i = 0; i < 1000; i++) {
      depth.issued();
      depth.used(true);
    }
    assertThat(depth.depth()).isEqualTo(StreamRules.STANDARD.mostDepth());
  }
}
