package io.quiver.core.engine;

import io.quiver.core.order.Residency;
import io.quiver.core.order.UnreadItems;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkEntry;
import io.quiver.core.plan.chunk.ChunkRole;
import io.quiver.core.plan.chunk.ChunkState;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.testkit.GoldenFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Checks when loaders of all languages wait for the ring. */
class GoldenPatienceTest {
  private static final int BATCH = 8;
  private static final int CHUNKS = 6;
  private static final List<ChunkRole> ROLES = List.of(ChunkRole.PINNED, ChunkRole.ROTATING);
  private static final List<ChunkState> STATES =
      List.of(ChunkState.LOADING, ChunkState.ACTIVE, ChunkState.MARKED);

  @Test
  void decisionsAreThoseOfTheGoldenFile() {
    Random random = new Random(17);
    RingPatience patience = new RingPatience(BATCH);
    List<String> lines = new ArrayList<>();
    long now = 0;
    for (int i = 0; i < 400; i++) {
      now += random.nextInt(300);
      lines.add(decide(random, patience, now));
    }
    GoldenFile.requireText("order", "patience.json", "[\n" + String.join(",\n", lines) + "\n]\n");
  }

  private static String decide(Random random, RingPatience patience, long millis) {
    int[] left =
        IntStream.range(0, CHUNKS)
            .map(chunk -> random.nextInt(3) == 0 ? random.nextInt(20) : random.nextInt(4))
            .toArray();
    List<ChunkEntry> held =
        IntStream.range(0, CHUNKS)
            .filter(chunk -> random.nextInt(3) == 0)
            .mapToObj(chunk ->
                new ChunkEntry(
                    chunk, 0, ROLES.get(random.nextInt(2)), STATES.get(random.nextInt(3))))
            .toList();
    DatasetPlan plan =
        new DatasetPlan(
            new DatasetKey("0123456789abcdef"), 100, 1000, CHUNKS, random.nextInt(5) != 0, held);
    boolean reachable = random.nextInt(8) != 0;
    int out = random.nextInt(3) == 0 ? 1 : 0;
    boolean waits = patience.waits(plan, unread(left), 16, out, reachable, millis * 1_000_000);
    Residency residency = plan.residency();
    return ("{\"now_ms\": %d, \"left\": %s, \"pinned\": %s, \"window\": %s, \"loading\": %s,"
            + " \"held\": %s, \"ring\": %s, \"out\": %d, \"reachable\": %s, \"waits\": %s}")
        .formatted(
            millis,
            Arrays.toString(left),
            residency.pinned(),
            residency.window(),
            residency.loading(),
            held.stream().map(ChunkEntry::chunk).toList(),
            plan.ring(),
            out,
            reachable,
            waits);
  }

  private static UnreadItems unread(int[] left) {
    return new UnreadItems() {
      @Override
      public int available() {
        return Arrays.stream(left).sum();
      }

      @Override
      public int available(int chunk) {
        return left[chunk];
      }
    };
  }
}
