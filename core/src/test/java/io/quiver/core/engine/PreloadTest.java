package io.quiver.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.claim.Claim;
import io.quiver.core.claim.ClaimTable;
import io.quiver.core.engine.ChunkProgress.End;
import io.quiver.core.engine.Preload.Step;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** Several jobs bring chunks in together in virtual time, with the servers' own claim table. */
class PreloadTest {
  private static final int ITEMS = 3000;
  private static final int CHUNKS = 5;
  private static final int READS = 8;
  private static final long MILLIS = 1_000_000;
  private static final long READ_NANOS = 7 * MILLIS;

  private final ClaimTable claims = new ClaimTable(Duration.ofSeconds(5), 1 << 16);
  private final BitSet cached = new BitSet();
  private final int[] reads = new int[ITEMS];
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          java.util.Comparator.comparingLong(Event::at).thenComparingLong(Event::number));
  private long number;
  private long now;
  private boolean answering = true;

  private record Event(long at, long number, Runnable action) {}

  private void after(long nanos, Runnable action) {
    events.add(new Event(now + nanos, number++, action));
  }

  private void run(long untilNanos) {
    while (!events.isEmpty() && events.peek().at() <= untilNanos) {
      Event event = events.remove();
      now = event.at();
      event.action().run();
    }
    now = untilNanos;
  }

  private static ContentHash hash(int item) {
    return ContentHash.ofContent(ByteBuffer.allocate(4).putInt(0, item));
  }

  private static DatasetPlan plan(int... loading) {
    List<ChunkEntry> held = new ArrayList<>();
    for (int chunk : loading) {
      held.add(new ChunkEntry(chunk, 10 + chunk, ChunkRole.PINNED, ChunkState.LOADING));
    }
    DatasetKey key = new DatasetKey("0123456789abcdef");
    return new DatasetPlan(key, ITEMS, ITEMS, CHUNKS, false, held);
  }

  /** One job's driver. */
  private final class Job {
    private final String name;
    private final Preload preload;
    private boolean dead;
    private boolean demandWaits;
    private boolean asking;
    private int mostUnderWay;
    private long wakeAt = Long.MAX_VALUE;

    Job(String name) {
      this.name = name;
      this.preload =
          new Preload(
              PreloadThrottle.of(READS),
              (chunks, chunk) -> MemberProgress.of(ITEMS, chunks, chunk, name));
    }

    void follow(DatasetPlan plan, String... servers) {
      preload.planned(plan, List.of(servers), now);
      advance();
    }

    void advance() {
      if (dead || asking) {
        return;
      }
      Step step = preload.next(demandWaits, now);
      if (step == Step.PAUSE) {
        wakeAt = now + preload.pauseNanos();
        long due = wakeAt;
        after(preload.pauseNanos(), () -> wake(due));
        return;
      }
      asking = true;
      after(MILLIS, () -> answer(step == Step.CLAIM));
    }

    private void wake(long due) {
      if (due == wakeAt) {
        advance();
      }
    }

    private void answer(boolean claiming) {
      asking = false;
      if (dead) {
        return;
      }
      List<ItemStatus> answer = answering ? new ArrayList<>() : null;
      for (int item : preload.question()) {
        if (answer != null) {
          answer.add(cached.get(item) ? ItemStatus.HIT : claiming ? claim(item) : ItemStatus.MISS);
        }
      }
      ChunkGeneration chunk = preload.chunk();
      for (int item : preload.answered(answer, !answering, now)) {
        after(READ_NANOS, () -> read(chunk, item));
      }
      mostUnderWay = Math.max(mostUnderWay, preload.underWay());
      advance();
    }

    private ItemStatus claim(int item) {
      Claim claim = claims.ask(hash(item), name, now);
      return claim == Claim.YOURS ? ItemStatus.YOURS : ItemStatus.PENDING;
    }

    private void read(ChunkGeneration chunk, int item) {
      if (dead) {
        return;
      }
      reads[item]++;
      cached.set(item);
      claims.resolve(hash(item));
      preload.ended(chunk, item, End.HERE, now);
      advance();
    }

    List<Integer> whole() {
      return preload.loaded().stream().map(ChunkGeneration::chunk).sorted().toList();
    }
  }

  private long readsInAll() {
    long sum = 0;
    for (int each : reads) {
      sum += each;
    }
    return sum;
  }

  @Test
  void aChunkIsReportedWholeUntilThePlanKnows() {
    Job job = new Job("job");
    cached.set(0, ITEMS);
    job.follow(plan(3), "server");
    run(1000 * MILLIS);
    assertThat(job.whole()).containsExactly(3);
    job.follow(plan(3), "server");
    assertThat(job.whole()).as("the plan did not change").containsExactly(3);
    DatasetPlan loading = plan(3);
    ChunkEntry whole = new ChunkEntry(3, 13, ChunkRole.PINNED, ChunkState.ACTIVE);
    job.follow(
        new DatasetPlan(loading.dataset(), ITEMS, ITEMS, CHUNKS, false, List.of(whole)), "server");
    assertThat(job.whole()).isEmpty();
  }

  @Test
  void manyLoadsNameTheMembersOfOneChunkAtATimeFromTheBack() {
    List<Integer> named = new ArrayList<>();
    Preload preload =
        new Preload(
            PreloadThrottle.of(READS),
            (chunks, chunk) -> {
              named.add(chunk);
              return MemberProgress.of(ITEMS, chunks, chunk, "job");
            });
    preload.planned(plan(0, 1, 2, 3, 4), List.of("server"), now);
    for (int i = 0; i < 10; i++) {
      preload.next(false, now);
    }
    assertThat(named).containsExactly(4);
  }

  @Test
  void jobsReadEveryItemOnceTogetherAndAllFindTheChunksWhole() {
    List<Job> jobs = List.of(new Job("one"), new Job("two"), new Job("three"));
    jobs.forEach(job -> job.follow(plan(0, 2, 4), "a", "b"));
    run(Duration.ofSeconds(20).toNanos());
    assertThat(readsInAll()).isEqualTo(3 * ITEMS / CHUNKS);
    for (Job job : jobs) {
      assertThat(job.whole()).containsExactly(0, 2, 4);
      assertThat(job.preload.takeNews()).isTrue();
      assertThat(job.mostUnderWay).isEqualTo(ReadRules.PRELOAD_LOTS * READS);
    }
  }

  @Test
  void whatADeadJobHadClaimedIsClaimedAnew() {
    Job dies = new Job("dies");
    Job lives = new Job("lives");
    dies.follow(plan(1), "a");
    lives.follow(plan(1), "a");
    run(10 * MILLIS);
    dies.dead = true;
    run(Duration.ofSeconds(4).toNanos());
    assertThat(lives.whole()).isEmpty();
    run(Duration.ofSeconds(12).toNanos());
    assertThat(lives.whole()).containsExactly(1);
    assertThat(readsInAll()).isEqualTo(ITEMS / CHUNKS);
  }

  @Test
  void whileBatchesWaitForTheStoreOneItemAtATimeIsClaimed() {
    Job job = new Job("busy");
    job.demandWaits = true;
    job.follow(plan(3), "a");
    run(Duration.ofSeconds(2).toNanos());
    assertThat(job.mostUnderWay).isEqualTo(1);
    assertThat(readsInAll()).isBetween(150L, 250L);
    job.demandWaits = false;
    run(Duration.ofSeconds(6).toNanos());
    assertThat(job.whole()).containsExactly(3);
  }

  @Test
  void aCacheThatDoesNotAnswerIsLeftAloneForAWhile() {
    Job job = new Job("patient");
    answering = false;
    job.follow(plan(3), "a");
    run(2 * MILLIS);
    assertThat(job.preload.pauseNanos()).isEqualTo(ReadRules.PRELOAD_TROUBLE.toNanos());
    answering = true;
    run(Duration.ofSeconds(5).toNanos());
    assertThat(job.whole()).containsExactly(3);
    assertThat(readsInAll()).isEqualTo(ITEMS / CHUNKS);
  }

  @Test
  void theGapsThatALostServerLeavesAreFilled() {
    Job job = new Job("mends");
    job.follow(plan(0), "a", "b");
    run(Duration.ofSeconds(5).toNanos());
    assertThat(job.whole()).containsExactly(0);
    int lost = cached.nextSetBit(0);
    cached.clear(lost);
    job.follow(plan(0), "a");
    run(Duration.ofSeconds(10).toNanos());
    assertThat(reads[lost]).isEqualTo(2);
    assertThat(readsInAll()).isEqualTo(ITEMS / CHUNKS + 1);
  }

  @Test
  void chunksThatThePlanDropsAreForgotten() {
    Job job = new Job("follows");
    job.follow(plan(0, 1), "a");
    run(Duration.ofSeconds(5).toNanos());
    assertThat(job.whole()).containsExactly(0, 1);
    job.follow(plan(1), "a");
    assertThat(job.whole()).containsExactly(1);
    job.preload.planned(null, List.of("a"), now);
    assertThat(job.preload.isLoading()).isFalse();
  }
}
