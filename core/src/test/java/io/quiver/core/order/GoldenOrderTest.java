package io.quiver.core.order;

import io.quiver.testkit.GoldenFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The files under test-vectors/order hold the orders of all languages together. */
class GoldenOrderTest {
  private static final int[] SIZES = {1, 2, 3, 7, 16, 17, 100, 256, 257};
  private static final long[] SEEDS = {0, 1, -1, 7, Long.MIN_VALUE, 0x123456789abcdefL};

  @Test
  void permutationsAreThoseOfTheGoldenFile() {
    List<String> lines = new ArrayList<>();
    for (int size : SIZES) {
      for (long seed : SEEDS) {
        SeededPermutation order = new SeededPermutation(size, seed);
        int[] all = IntStream.range(0, size).map(order::at).toArray();
        lines.add(
            "{\"size\": %d, \"seed\": %d, \"order\": %s}"
                .formatted(size, seed, RecordedOrder.json(all)));
      }
    }
    for (int size : new int[] {65_537, 1_281_167, Integer.MAX_VALUE}) {
      SeededPermutation order = new SeededPermutation(size, 42);
      int[] places = {0, 1, 2, 1000, 65_535, size / 2, size - 2, size - 1};
      lines.add(
          "{\"size\": %d, \"seed\": 42, \"places\": %s, \"order\": %s}"
              .formatted(
                  size,
                  RecordedOrder.json(places),
                  RecordedOrder.json(Arrays.stream(places).map(order::at).toArray())));
    }
    GoldenFile.requireText("order", "permutations.json", list(lines));
  }

  @Test
  void layoutsAreThoseOfTheGoldenFile() {
    List<String> lines = new ArrayList<>();
    for (int items : new int[] {0, 1, 9, 100, 1000, 12_345, 1_281_167, Integer.MAX_VALUE}) {
      for (int chunks : new int[] {1, 2, 7, 10, 100, 9999}) {
        lines.add(layout(new ChunkLayout(items, chunks)));
      }
    }
    GoldenFile.requireText("order", "layouts.json", list(lines));
  }

  private static String layout(ChunkLayout layout) {
    int[] chunks =
        IntStream.of(0, 1, layout.chunks() / 2, layout.chunks() - 1)
            .filter(chunk -> chunk < layout.chunks())
            .distinct()
            .toArray();
    int[] items =
        IntStream.of(0, 1, 5, 63, 4097, layout.items() / 3, layout.items() - 1)
            .filter(item -> item >= 0 && item < layout.items())
            .distinct()
            .toArray();
    String members =
        Arrays.stream(chunks)
            .mapToObj(chunk ->
                Arrays.toString(
                    IntStream.of(0, 1, 2, 7, layout.size(chunk) - 1)
                        .filter(place -> place >= 0 && place < layout.size(chunk))
                        .map(place -> layout.member(chunk, place))
                        .toArray()))
            .collect(Collectors.joining(", ", "[", "]"));
    return ("{\"items\": %d, \"chunks\": %d, \"unit\": %d, \"partitions\": %d, \"of\": %s,"
            + " \"sizes\": %s, \"members\": %s, \"item\": %s, \"chunk_of\": %s}")
        .formatted(
            layout.items(),
            layout.chunks(),
            layout.unit(),
            layout.partitions(),
            Arrays.toString(chunks),
            Arrays.toString(Arrays.stream(chunks).map(layout::size).toArray()),
            members,
            Arrays.toString(items),
            Arrays.toString(Arrays.stream(items).map(layout::chunkOf).toArray()));
  }

  @Test
  void numbersAndLotsAreThoseOfTheGoldenFile() {
    List<String> lines = new ArrayList<>();
    for (long seed : SEEDS) {
      SeededRandom random = new SeededRandom(seed);
      int[] bounds = {1, 2, 10, 1000, 65_536, 1_000_003, Integer.MAX_VALUE};
      int[] numbers = Arrays.stream(bounds).map(random::below).toArray();
      lines.add(
          "{\"seed\": %d, \"derived\": [%s], \"bounds\": %s, \"below\": %s}"
              .formatted(
                  seed,
                  IntStream.of(0, 1, -1, -8, 12_345)
                      .mapToObj(
                          part -> "\"" + Long.toHexString(SeededRandom.derive(seed, part)) + "\"")
                      .collect(Collectors.joining(", ")),
                  Arrays.toString(bounds),
                  Arrays.toString(numbers)));
    }
    for (int[] lots :
        List.of(
            new int[] {5},
            new int[] {0, 3, 0, 4, 0},
            new int[] {1, 1, 1, 1, 1, 1, 1},
            new int[] {100, 1, 50, 2, 300, 7, 0, 9},
            IntStream.range(0, 70).map(i -> i * i % 53).toArray(),
            IntStream.range(0, 20).map(i -> 5000 + i * 311).toArray())) {
      lines.add(lots(lots));
    }
    GoldenFile.requireText("order", "numbers.json", list(lines));
  }

  private static String lots(int[] lots) {
    WeightedPicker left = new WeightedPicker(lots);
    SeededRandom random = new SeededRandom(99);
    int count = Math.min(400, left.total());
    int[] owners = IntStream.range(0, count).map(i -> left.draw(random)).toArray();
    return "{\"seed\": 99, \"lots\": %s, \"owners\": %s}"
        .formatted(Arrays.toString(lots), Arrays.toString(owners));
  }

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario(
              "substitute-one-rank",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(601, 7, 16, 3, 0, 1, false),
              true),
          new Scenario(
              "substitute-incomplete",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(450, 9, 20, -5, 0, 1, false),
              false),
          new Scenario(
              "substitute-one-chunk",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(130, 1, 8, 0, 0, 1, true),
              false),
          new Scenario(
              "substitute-many-chunks",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(300, 64, 32, 11, 0, 1, false),
              true),
          new Scenario(
              "substitute-ranks-pad",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(331, 5, 10, 8, 0, 3, false).withEqualSteps(EqualSteps.PAD),
              true),
          new Scenario(
              "substitute-ranks-drop",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(332, 5, 10, 9, 0, 3, true).withEqualSteps(EqualSteps.DROP),
              true),
          new Scenario(
              "substitute-ranks-incomplete",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(200, 6, 9, 10, 0, 2, false).withEqualSteps(EqualSteps.PAD),
              false),
          new Scenario(
              "substitute-big-units",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(2600, 4, 200, 12, 0, 1, false),
              true),
          new Scenario(
              "homogeneous",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(500, 6, 16, 21, 0, 1, false).withHomogeneous(true),
              true),
          new Scenario(
              "homogeneous-ranks-incomplete",
              SamplerKind.SUBSTITUTE,
              new OrderSetup(420, 8, 12, 22, 0, 2, false)
                  .withEqualSteps(EqualSteps.PAD)
                  .withHomogeneous(true),
              false),
          new Scenario(
              "strict-one-rank",
              SamplerKind.STRICT,
              new OrderSetup(333, 7, 16, 31, 0, 1, false),
              true),
          new Scenario(
              "strict-incomplete",
              SamplerKind.STRICT,
              new OrderSetup(250, 3, 25, 32, 0, 1, true),
              false),
          new Scenario(
              "strict-ranks-pad",
              SamplerKind.STRICT,
              new OrderSetup(203, 4, 10, 33, 0, 4, false).withEqualSteps(EqualSteps.PAD),
              true),
          new Scenario(
              "strict-ranks-drop",
              SamplerKind.STRICT,
              new OrderSetup(203, 4, 10, 34, 0, 4, false).withEqualSteps(EqualSteps.DROP),
              false));

  /**
   * An epoch that is written down, with all its ranks.
   *
   * @param whole whether every draw is delivered whole
   */
  private record Scenario(String name, SamplerKind kind, OrderSetup setup, boolean whole) {}

  /** Returns all ranks for a while, then the rest with another number of ranks and of chunks. */
  @TestFactory
  Stream<DynamicTest> epochsAreThoseOfTheGoldenFile() {
    return SCENARIOS.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> requireEpoch(each)));
  }

  private static void requireEpoch(Scenario scenario) {
    List<String> runs =
        recorded(
            scenario.setup,
            scenario.setup.items(),
            new Recording() {
              @Override
              public RecordedOrder of(
                  OrderSetup setup, @Nullable OrderState before, Random random) {
                EpochState state = (EpochState) before;
                return RecordedOrder.ofEpoch(scenario.kind, setup, state, random, scenario.whole);
              }

              @Override
              public OrderState merge(List<OrderState> states) {
                return EpochState.merge(states.stream().map(EpochState.class::cast).toList());
              }
            });
    GoldenFile.requireText("order", "epoch-" + scenario.name() + ".json", list(runs));
  }

  /** Makes recorded orders, and one state of those of all ranks. */
  private interface Recording {
    RecordedOrder of(OrderSetup setup, @Nullable OrderState before, Random random);

    OrderState merge(List<OrderState> states);
  }

  /** Plays all ranks half-way, and the rest with one rank less. */
  private static List<String> recorded(OrderSetup setup, int entries, Recording recording) {
    Random random = new Random(setup.seed());
    List<String> runs = new ArrayList<>();
    List<OrderState> states = new ArrayList<>();
    int ranks = setup.ranks();
    int perRank = entries / ranks / setup.batch();
    for (int rank = 0; rank < ranks; rank++) {
      RecordedOrder run = recording.of(setup.withRank(rank, ranks), null, random);
      states.add(run.play(perRank / 2));
      runs.add(run.json());
    }
    OrderState merged = recording.merge(states);
    int after = ranks == 1 ? 1 : ranks - 1;
    for (int rank = 0; rank < after; rank++) {
      RecordedOrder run = recording.of(setup.withRank(rank, after), merged, random);
      run.play(Integer.MAX_VALUE);
      runs.add(run.json());
    }
    return runs;
  }

  /** A list that is read by all ranks for a while, and then by one rank less. */
  private record ListScenario(
      String name, OrderSetup setup, int entries, int lookAhead, boolean whole) {
    /** Squares crowd the low numbers, so that some items come often and some never. */
    ItemList list() {
      SeededRandom random = new SeededRandom(setup.seed());
      int items = setup.items();
      return new ItemList(
          items,
          IntStream.range(0, entries)
              .map(i -> random.below(items) * random.below(items) / items)
              .toArray());
    }
  }

  private static final List<ListScenario> LISTS =
      List.of(
          new ListScenario("one-rank", new OrderSetup(100, 3, 16, 41, 0, 1, false), 150, 0, true),
          new ListScenario("incomplete", new OrderSetup(90, 3, 12, 42, 0, 1, true), 140, 0, false),
          new ListScenario(
              "ranks-pad",
              new OrderSetup(120, 4, 8, 43, 0, 3, false).withEqualSteps(EqualSteps.PAD),
              199,
              0,
              true),
          new ListScenario(
              "ranks-drop",
              new OrderSetup(120, 4, 8, 44, 0, 4, false).withEqualSteps(EqualSteps.DROP),
              201,
              0,
              false),
          new ListScenario(
              "look-ahead", new OrderSetup(100, 5, 10, 45, 0, 1, false), 180, 15, true),
          new ListScenario(
              "look-ahead-ranks-pad-incomplete",
              new OrderSetup(80, 5, 9, 46, 0, 2, false).withEqualSteps(EqualSteps.PAD),
              151,
              7,
              false));

  @TestFactory
  Stream<DynamicTest> listsAreThoseOfTheGoldenFile() {
    return LISTS.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> requireList(each)));
  }

  private static void requireList(ListScenario scenario) {
    ItemList list = scenario.list();
    List<String> runs =
        recorded(
            scenario.setup,
            list.size(),
            new Recording() {
              @Override
              public RecordedOrder of(
                  OrderSetup setup, @Nullable OrderState before, Random random) {
                return RecordedOrder.ofList(
                    list, scenario.lookAhead, setup, (ListState) before, random, scenario.whole);
              }

              @Override
              public OrderState merge(List<OrderState> states) {
                return ListState.merge(states.stream().map(ListState.class::cast).toList());
              }
            });
    GoldenFile.requireText("order", "list-" + scenario.name() + ".json", list(runs));
  }

  /** A longer epoch, of which only the hash over all draws is kept. */
  @Test
  void aLongEpochHasTheGoldenHash() throws NoSuchAlgorithmException {
    List<String> lines = new ArrayList<>();
    for (SamplerKind kind : List.of(SamplerKind.SUBSTITUTE, SamplerKind.STRICT)) {
      OrderSetup setup = OrderSetup.single(150_000, 50, 256, 77);
      lines.add(
          "{\"kind\": \"%s\", \"items\": 150000, \"chunks\": 50, \"batch\": 256, \"seed\": 77, "
                  .formatted(kind)
              + "\"sha256\": \"%s\"}".formatted(hash(EpochOrder.begin(kind, setup, 5))));
    }
    GoldenFile.requireText("order", "long-epochs.json", list(lines));
  }

  private static String hash(EpochOrder sampler) throws NoSuchAlgorithmException {
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    Optional<Draw> draw = sampler.draw(turn(0), RingRole.LEADER);
    for (int i = 1; draw.isPresent(); i++) {
      update(sha, draw.get().candidates());
      update(sha, new int[] {-1, draw.get().want()});
      update(sha, draw.get().fetch());
      int[] found = Arrays.copyOf(draw.get().candidates(), draw.get().want());
      sampler.settle(
          draw.get(),
          IntStream.concat(Arrays.stream(found), Arrays.stream(draw.get().missing(found)))
              .toArray());
      draw = sampler.draw(turn(i), RingRole.LEADER);
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  /** Ten chunks are pinned, two of the others rotate, the next one is loading. */
  private static Residency turn(int draw) {
    int at = draw / 12;
    return new Residency(
        IntStream.range(0, 10).boxed().toList(),
        List.of(10 + at % 40, 10 + (at + 1) % 40),
        List.of(10 + (at + 2) % 40));
  }

  private static void update(MessageDigest sha, int[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(numbers);
    sha.update(bytes.array());
  }

  private static String list(List<String> lines) {
    return "[\n" + String.join(",\n", lines) + "\n]\n";
  }
}
