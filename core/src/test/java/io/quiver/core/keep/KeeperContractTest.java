package io.quiver.core.keep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Laws that every keeper obeys, each against a model or its own bookkeeping. */
final class KeeperContractTest {
  private static final int BYTES_PER_BLOB = 48;

  @ParameterizedTest
  @EnumSource(KeeperKind.class)
  void keepsItsBooksUnderAnyCalls(KeeperKind kind) {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Keeper keeper = kind.keeper(1000);
      Map<Long, Long> kept = new HashMap<>();
      long quota = 1000;
      for (int step = 0; step < 3000; step++) {
        String at = kind + ", seed " + seed + ", step " + step;
        long key = random.nextInt(60);
        List<Long> victims = new ArrayList<>();
        switch (random.nextInt(12)) {
          case 0 -> assertThat(keeper.forget(key)).as(at).isEqualTo(kept.remove(key) != null);
          case 1 -> {
            quota = random.nextInt(20) == 0 ? 0 : 200 + random.nextInt(1500);
            keeper.resize(quota, victims::add);
          }
          case 2, 3, 4 -> assertThat(keeper.touch(key)).as(at).isEqualTo(kept.containsKey(key));
          case 5 -> keeper.rank(key, random.nextInt(10));
          default -> {
            boolean before = kept.containsKey(key);
            long bytes = kept.getOrDefault(key, 1L + random.nextInt(200));
            if (keeper.offer(key, bytes, random.nextInt(10), victims::add)) {
              kept.put(key, bytes);
            } else {
              assertThat(before).as(at).isFalse();
              assertThat(victims).as(at).isEmpty();
            }
            assertThat(victims).as(at).doesNotContain(key);
          }
        }
        for (long victim : victims) {
          assertThat(kept.remove(victim)).as(at + ", victim " + victim).isNotNull();
          assertThat(keeper.holds(victim)).as(at).isFalse();
        }
        Keeper.Report report = keeper.report();
        long used = kept.values().stream().mapToLong(each -> each).sum();
        assertThat(report.usedBytes()).as(at).isEqualTo(used);
        assertThat(report.blobs()).as(at).isEqualTo(kept.size());
        assertThat(report.quotaBytes()).as(at).isEqualTo(quota);
        if (kind != KeeperKind.FIXED) {
          assertThat(used).as(at).isLessThanOrEqualTo(quota);
        }
      }
      for (long key = 0; key < 60; key++) {
        assertThat(keeper.holds(key)).isEqualTo(kept.containsKey(key));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = KeeperKind.class, mode = EnumSource.Mode.EXCLUDE, names = "FIFO3")
  void decidesAsTheModelDoes(KeeperKind kind) {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Keeper keeper = kind.keeper(2000);
      KeeperModel model = new KeeperModel(kind, 2000);
      for (int step = 0; step < 2000; step++) {
        String at = kind + ", seed " + seed + ", step " + step;
        long key = random.nextInt(80);
        // Unique priorities: which of two equals goes is nobody's business.
        long priority = random.nextInt(1000) * 10_000L + step;
        switch (random.nextInt(10)) {
          case 0 -> assertThat(keeper.forget(key)).as(at).isEqualTo(model.forget(key));
          case 1 -> {
            long quota = random.nextInt(3000);
            List<Long> victims = new ArrayList<>();
            keeper.resize(quota, victims::add);
            assertThat(victims).as(at).isEqualTo(resized(kind, keeper, model, quota, victims));
          }
          case 2, 3 -> assertThat(keeper.touch(key)).as(at).isEqualTo(model.touch(key));
          case 4 -> {
            keeper.rank(key, priority);
            model.rank(key, priority);
          }
          default -> {
            long bytes = 1L + random.nextInt(150);
            List<Long> victims = new ArrayList<>();
            boolean admitted = keeper.offer(key, bytes, priority, victims::add);
            @Nullable List<Long> expected = model.offer(key, bytes, priority);
            assertThat(admitted).as(at).isEqualTo(expected != null);
            assertThat(victims).as(at).isEqualTo(expected == null ? List.of() : expected);
          }
        }
        assertThat(keeper.report().usedBytes()).as(at).isEqualTo(model.used());
        assertThat(keeper.report().blobs()).as(at).isEqualTo(model.size());
      }
    }
  }

  /** Uniform blobs go in no promised order: the model follows what went. */
  private static List<Long> resized(
      KeeperKind kind, Keeper keeper, KeeperModel model, long quota, List<Long> victims) {
    if (kind != KeeperKind.UNIFORM) {
      return model.resize(quota);
    }
    victims.forEach(model::forget);
    assertThat(model.used()).isLessThanOrEqualTo(quota);
    assertThat(model.resize(quota)).isEmpty();
    assertThat(keeper.report().usedBytes()).isEqualTo(model.used());
    return victims;
  }

  @ParameterizedTest
  @EnumSource(KeeperKind.class)
  void takesAtMostFortyEightBytesForEachBlob(KeeperKind kind) {
    Keeper keeper = kind.keeper(Long.MAX_VALUE / 2);
    long worst = 0;
    for (int blobs = 1; blobs <= 300_000; blobs++) {
      keeper.offer(blobs * 31L, 1000, blobs, any -> {});
      if (blobs >= 20_000) {
        worst = Math.max(worst, keeper.memoryBytes() * 100 / blobs);
      }
    }
    assertThat(worst / 100.0)
        .as("%s: bytes for each blob", kind)
        .isLessThanOrEqualTo(BYTES_PER_BLOB);
  }

  @ParameterizedTest
  @EnumSource(value = KeeperKind.class, mode = EnumSource.Mode.EXCLUDE, names = "FIXED")
  void staysSmallWhileBlobsComeAndGo(KeeperKind kind) {
    Keeper keeper = kind.keeper(50_000_000);
    for (int i = 0; i < 300_000; i++) {
      keeper.offer(i, 1000, i, any -> {});
    }
    assertThat(keeper.report().blobs()).isEqualTo(50_000);
    assertThat(keeper.memoryBytes()).isLessThanOrEqualTo(50_000L * BYTES_PER_BLOB);
    keeper.resize(10_000_000, any -> {});
    for (int i = 300_000; i < 330_000; i++) {
      keeper.offer(i, 1000, i, any -> {});
    }
    assertThat(keeper.report().blobs()).isEqualTo(10_000);
    assertThat(keeper.memoryBytes()).isLessThanOrEqualTo(12_500L * BYTES_PER_BLOB);
  }
}
