package io.quiver.core.engine;

import io.quiver.core.engine.BatchRead.Step;
import io.quiver.core.engine.BatchRead.Supply;
import io.quiver.testkit.GoldenFile;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records constants and decisions of the engine, to which loaders of all languages are held. */
class EngineVectorsTest {
  private static final int CASES = 120;
  private static final long MILLIS = 1_000_000;
  private static final List<ItemStatus> PRESENCES =
      List.of(ItemStatus.HIT, ItemStatus.MISS, ItemStatus.YOURS, ItemStatus.PENDING);

  @Test
  void constantsAreThoseOfTheGoldenFile() throws IllegalAccessException {
    List<String> lines = new ArrayList<>();
    for (Field field : ReadRules.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())) {
        Object value = field.get(null);
        boolean time = value instanceof Duration;
        String name = field.getName().toLowerCase(Locale.ROOT) + (time ? "_us" : "");
        lines.add("  \"" + name + "\": " + (time ? ((Duration) value).toNanos() / 1000 : value));
      }
    }
    GoldenFile.requireText("engine", "constants.json", "{\n" + String.join(",\n", lines) + "\n}\n");
  }

  @Test
  void throttlingIsThatOfTheGoldenFile() {
    List<String> lines = new ArrayList<>();
    for (int reads : new int[] {1, 3, 8}) {
      for (int underWay = 0; underWay <= ReadRules.PRELOAD_LOTS * reads; underWay++) {
        PreloadThrottle throttle = PreloadThrottle.of(reads);
        throttle.began(underWay);
        lines.add(
            "{\"reads\": %d, \"under_way\": %d, \"idle\": %d, \"demand_waits\": %d}"
                .formatted(reads, underWay, throttle.mayClaim(false), throttle.mayClaim(true)));
      }
    }
    GoldenFile.requireText("engine", "throttle.jsonl", String.join("\n", lines) + "\n");
  }

  /** Every line is one job: what its waits came to, and how long it waits after each. */
  @Test
  void patienceIsThatOfTheGoldenFile() {
    List<String> lines = new ArrayList<>();
    Random random = new Random(29);
    for (int i = 0; i < CASES / 4; i++) {
      ClaimPatience patience = new ClaimPatience();
      List<String> events = new ArrayList<>();
      long now = 0;
      for (int event = 0; event < 12; event++) {
        long began = now + random.nextInt(4) * MILLIS;
        now = began + random.nextInt(random.nextInt(4) == 0 ? 30_000 : 2000) * MILLIS;
        boolean delivered = random.nextInt(3) == 0;
        if (delivered) {
          patience.delivered(began, now);
        } else {
          patience.inVain(began, now);
        }
        events.add(
            "{\"delivered\": %s, \"began_ms\": %d, \"now_ms\": %d, \"wait_ns\": %d}"
                .formatted(delivered, began / MILLIS, now / MILLIS, patience.nanos(now)));
      }
      lines.add("{\"waits\": " + events + "}");
    }
    GoldenFile.requireText("engine", "patience.jsonl", String.join("\n", lines) + "\n");
  }

  /**
   * Every line is one batch: the items to read with their spaces (-1 for none), then for each
   * question what the cache said after so many milliseconds, and what followed from it.
   */
  @Test
  void missesAreResolvedAsInTheGoldenFile() {
    List<String> lines = new ArrayList<>();
    Random random = new Random(23);
    for (int i = 0; i < CASES; i++) {
      lines.add(new Case(random).run());
    }
    GoldenFile.requireText("engine", "misses.jsonl", String.join("\n", lines) + "\n");
  }

  /** One batch whose answers are drawn at random. */
  private static final class Case implements BatchRead.Driver {
    private final Random random;
    private final List<String> actions = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final ClaimPatience patience = new ClaimPatience();
    private long now;

    Case(Random random) {
      this.random = random;
    }

    String run() {
      int size = 1 + random.nextInt(6);
      int[] items = IntStream.range(0, size).map(i -> 10 * i + random.nextInt(10)).toArray();
      int[] spaces = IntStream.range(0, size).map(i -> random.nextInt(4) - 1).toArray();
      Supply supply = random.nextInt(5) == 0 ? Supply.STORE : Supply.SHARED;
      boolean stuck = random.nextInt(8) == 0;
      BatchRead read =
          new BatchRead(
              new int[0],
              0,
              size,
              found -> items,
              supply,
              item -> spaces[Arrays.binarySearch(items, item)],
              this);
      Step step = read.begin(false, now);
      List<String> first = take();
      while (step != Step.DELIVER) {
        int[] question = read.question();
        List<ItemStatus> answer = answer(question.length, stuck);
        boolean failing = answer == null || random.nextInt(10) == 0;
        int took = stuck ? 400 : random.nextInt(3);
        now += took * MILLIS;
        step = read.answered(answer, failing, now);
        long pause = step == Step.PAUSE ? read.pauseNanos() / MILLIS : 0;
        steps.add(
            ("{\"ask\": %s, \"answer\": %s, \"failing\": %s, \"took_ms\": %d, \"actions\": %s,"
                    + " \"pause_ms\": %d}")
                .formatted(Arrays.toString(question), json(answer), failing, took, take(), pause));
        if (step == Step.PAUSE) {
          now += read.pauseNanos();
          step = read.woken(now);
        }
      }
      return ("{\"items\": %s, \"spaces\": %s, \"supply\": \"%s\", \"actions\": %s,"
              + " \"questions\": [%s]}")
          .formatted(
              Arrays.toString(items),
              Arrays.toString(spaces),
              supply.name().toLowerCase(Locale.ROOT),
              first,
              String.join(", ", steps));
    }

    private @Nullable List<ItemStatus> answer(int count, boolean stuck) {
      if (!stuck && random.nextInt(12) == 0) {
        return null;
      }
      List<ItemStatus> answer = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        answer.add(stuck ? ItemStatus.PENDING : PRESENCES.get(random.nextInt(PRESENCES.size())));
      }
      return answer;
    }

    private static String json(@Nullable List<ItemStatus> answer) {
      return answer == null
          ? "null"
          : answer.stream()
              .map(each -> "\"" + each.name().toLowerCase(Locale.ROOT) + "\"")
              .toList()
              .toString();
    }

    private List<String> take() {
      List<String> taken = List.copyOf(actions);
      actions.clear();
      return taken;
    }

    @Override
    public void hit(int place, int item, int index, boolean cooperative) {
      actions.add("[\"%s\", %d]".formatted(cooperative ? "cooperative" : "hit", item));
    }

    @Override
    public boolean join(int place, int item) {
      return false;
    }

    @Override
    public void fetch(int place, int item, int space) {
      actions.add("[\"fetch\", %d, %d]".formatted(item, space));
    }

    @Override
    public boolean insertedSince(int item, long nanos) {
      return false;
    }

    @Override
    public long patienceNanos(long now) {
      return patience.nanos(now);
    }

    @Override
    public void waited(boolean delivered, long began, long now) {
      // One batch alone: its patience runs out once.
    }
  }
}
