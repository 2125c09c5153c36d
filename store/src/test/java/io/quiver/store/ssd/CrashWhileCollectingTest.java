package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobStore.PutOutcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process whose store is full, so that it moves blobs and drops spaces all the time. */
final class CrashWhileCollectingTest {
  private static final int ROUNDS = Boolean.getBoolean("quiver.test.long") ? 40 : 4;
  private static final int SPACES = 4;

  @TempDir Path directory;

  @Test
  void whatNobodyGaveUpSurvivesAKillDuringMovesAndDrops() throws Exception {
    long seed = Long.getLong("quiver.test.seed", 13);
    Random random = new Random(seed);
    Map<Integer, Boolean> wanted = new TreeMap<>();
    int begin = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int lines = 1500 + random.nextInt(1500);
      String where = "seed " + seed + ", round " + round;
      List<String> said =
          DoomedProcess.run(
              Churner.class, lines, directory.toString(), "" + begin, "" + random.nextLong());
      assertThat(said).as("%s: what the process said", where).hasSizeGreaterThanOrEqualTo(lines);
      said.forEach(line -> note(line, wanted));
      begin = 10_000 * (round + 1);
      try (SsdBlobStore store = Churner.open(directory)) {
        wanted.forEach((number, given) -> check(store, number, given, where));
        assertThat(store.usage().usedBytes()).isLessThanOrEqualTo(Churner.CAPACITY);
        store.spaces().forEach(usage -> store.drop(usage.space()));
        StoreFixture.awaitUsed(store, 0, where + ", after dropping all");
      }
      wanted.clear();
    }
  }

  /** Remembers a blob as wanted (true) or as given up (false). */
  private static void note(String line, Map<Integer, Boolean> wanted) {
    int number = Integer.parseInt(line.substring(1));
    switch (line.charAt(0)) {
      case '+' -> wanted.put(number, true);
      case '-' -> wanted.put(number, false);
      default -> wanted.replaceAll((blob, kept) -> kept && Churner.space(blob) != number);
    }
  }

  private static void check(SsdBlobStore store, int number, boolean wanted, String where) {
    boolean here = StoreFixture.hasRight(store, Churner.blob(number));
    if (wanted) {
      assertThat(here).as("%s: blob %d was stored and never given up", where, number).isTrue();
    }
  }

  /**
   * The process that gets killed. Says {@code +n} when a blob is stored, {@code -n} before it
   * evicts one and {@code dk} before it drops space k.
   */
  static final class Churner {
    static final long CAPACITY = 5 << 20;
    private static final int BLOB_BYTES = 9_000;
    private static final int DROP_EVERY = 700;

    private Churner() {}

    static SsdBlobStore open(Path directory) throws IOException {
      SsdStoreConfig config =
          new SsdStoreConfig(List.of(directory), CAPACITY, 256 << 10, 256 << 10, 2, 1 << 20);
      return SsdBlobStore.open(config, RecoveryProgress.NONE);
    }

    static Blob blob(int number) {
      return Blob.numbered(number, BLOB_BYTES + number % 1000);
    }

    static int space(int number) {
      return number % SPACES;
    }

    /** Runs with the arguments directory, first number and seed. */
    public static void main(String[] arguments) throws IOException {
      SsdBlobStore store = open(Path.of(arguments[0]));
      int first = Integer.parseInt(arguments[1]);
      Random random = new Random(Long.parseLong(arguments[2]));
      ArrayDeque<Integer> stored = new ArrayDeque<>();
      for (int number = first; number < first + 10_000; number++) {
        if (number % DROP_EVERY == DROP_EVERY - 1) {
          int victim = random.nextInt(SPACES);
          System.out.println("d" + victim);
          store.drop(new SpaceId("space-" + victim));
          stored.removeIf(blob -> space(blob) == victim);
        }
        while (!put(store, number)) {
          evict(store, stored, random);
        }
        stored.add(number);
        System.out.println("+" + number);
      }
    }

    private static boolean put(SsdBlobStore store, int number) {
      PutOutcome outcome =
          StoreFixture.put(store, new SpaceId("space-" + space(number)), blob(number));
      return outcome == PutOutcome.STORED;
    }

    /** Evicts a few blobs here and there, so that every segment has some garbage. */
    private static void evict(SsdBlobStore store, ArrayDeque<Integer> stored, Random random) {
      for (int i = 0; i < 8; i++) {
        for (int skip = random.nextInt(20); skip > 0; skip--) {
          stored.add(stored.remove());
        }
        int number = stored.remove();
        System.out.println("-" + number);
        store.evict(blob(number).hash(), new SpaceId("space-" + space(number)));
      }
    }
  }
}
