package io.quiver.store.ssd;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.name.NameBinding;
import io.quiver.core.space.SpaceId;
import io.quiver.store.Blob;
import io.quiver.store.BlobStore.PutOutcome;
import io.quiver.store.NameStoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process that writes, evicts and drops, and looks at what the next one finds. */
final class CrashTest {
  private static final int ROUNDS = Boolean.getBoolean("quiver.test.long") ? 40 : 4;
  private static final int WRITERS = 3;

  @TempDir Path directory;

  @Test
  void whatWasAcknowledgedSurvivesAKillAndNothingWrongIsServed() throws Exception {
    long seed = Long.getLong("quiver.test.seed", 11);
    Random random = new Random(seed);
    Set<Integer> stored = new HashSet<>();
    Set<Integer> evicted = new HashSet<>();
    int begin = 0;
    for (int round = 0; round < ROUNDS; round++) {
      begin = runAndKill(begin, 20 + random.nextInt(300), stored, evicted);
      try (SsdBlobStore store = StoreFixture.open(directory)) {
        check(store, stored, evicted, begin, "seed " + seed + ", round " + round);
      }
    }
  }

  /**
   * Starts a writer at a number and kills it after some lines; returns the next writer's first
   * number.
   */
  private int runAndKill(int begin, int lines, Set<Integer> stored, Set<Integer> evicted)
      throws IOException {
    int last = begin;
    for (String line : DoomedProcess.run(Writer.class, lines, directory.toString(), "" + begin)) {
      int number = Integer.parseInt(line.substring(1));
      (line.charAt(0) == '+' ? stored : evicted).add(number);
      last = Math.max(last, number + 1);
    }
    return last + 10_000;
  }

  private static void check(
      SsdBlobStore store, Set<Integer> stored, Set<Integer> evicted, int end, String where) {
    for (int number : stored) {
      boolean here = StoreFixture.hasRight(store, Writer.blob(number));
      NameBinding binding = NameStoreContract.binding(number, number);
      assertThat(store.resolve(List.of(binding.name())))
          .as("%s: name %d was bound anew", where, number)
          .containsExactly(Optional.of(binding));
      // What was acknowledged is here, unless its eviction had begun.
      if (!Writer.isEvicted(number)) {
        assertThat(here).as("%s: blob %d was stored", where, number).isTrue();
      }
      if (evicted.contains(number)) {
        assertThat(here).as("%s: blob %d was evicted", where, number).isFalse();
      }
    }
    for (int number = 0; number < end; number += 7) {
      StoreFixture.hasRight(store, Writer.blob(number));
    }
    assertThat(store.usage().usedBytes()).isLessThanOrEqualTo(store.usage().capacityBytes());
  }

  /**
   * The process that gets killed: several threads put numbered blobs, bind a name for each twice,
   * and evict every third blob.
   */
  static final class Writer {
    private Writer() {}

    static Blob blob(int number) {
      return Blob.numbered(
          number, new Random(number).nextInt(20) == 0 ? 90_000 : 3000 + number % 64);
    }

    static boolean isEvicted(int number) {
      return number % 3 == 0;
    }

    /** Runs with the arguments directory and first number. */
    public static void main(String[] arguments) throws Exception {
      SsdBlobStore store = StoreFixture.open(Path.of(arguments[0]));
      int begin = Integer.parseInt(arguments[1]);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int first = begin + i;
        threads.add(Thread.ofPlatform().start(() -> write(store, first)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void write(SsdBlobStore store, int first) {
      SpaceId space = new SpaceId("space-" + first % 2);
      for (int number = first; ; number += WRITERS) {
        Blob blob = blob(number);
        PutOutcome outcome = StoreFixture.put(store, space, blob);
        if (outcome != PutOutcome.STORED
            || store.bind(NameStoreContract.binding(number, 0), space) != PutOutcome.STORED
            || store.bind(NameStoreContract.binding(number, number), space) == PutOutcome.NO_ROOM) {
          return; // full: this round is over
        }
        say('+', number);
        if (isEvicted(number) && store.evict(blob.hash(), space)) {
          say('-', number);
        }
      }
    }

    private static synchronized void say(char what, int number) {
      System.out.println(what + "" + number);
      System.out.flush();
    }
  }
}
