package io.quiver.client.loader;

import io.quiver.core.order.Draw;
import io.quiver.core.order.EpochOrder;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.Residency;
import io.quiver.core.order.RingRole;
import io.quiver.core.order.SamplerKind;
import io.quiver.testkit.GoldenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the division of an epoch among ranks for loaders of all languages. */
class GoldenRanksTest {
  private static final int ITEMS = 157;

  @TempDir private Path folder;

  @Test
  void divisionsAreThoseOfTheGoldenFile() {
    TestDataset data = TestDataset.make(folder, ITEMS, 10, 3);
    LoaderConfig plain = LoaderConfig.of("ranks", data.digest(), data.store()).withSeed(41);
    List<String> lines = new ArrayList<>();
    for (SamplerKind kind : List.of(SamplerKind.SUBSTITUTE, SamplerKind.STRICT)) {
      for (EqualSteps steps : EqualSteps.values()) {
        for (boolean dropLast : new boolean[] {false, true}) {
          LoaderConfig config =
              plain.withSampler(kind).withEqualSteps(steps).withDropLast(dropLast);
          lines.addAll(divide(config.withBatch(10), 1));
          lines.addAll(divide(config.withBatch(7), 3));
          lines.addAll(divide(config.withBatch(4).withResume(interrupted()), 4));
        }
      }
    }
    GoldenFile.requireText("order", "ranks.json", "[\n" + String.join(",\n", lines) + "\n]\n");
  }

  private static EpochState interrupted() {
    Random random = new Random(5);
    long[] words = new long[(ITEMS + 63) / 64];
    random.ints(60, 0, ITEMS).forEach(item -> words[item >> 6] |= 1L << item);
    return new EpochState(41, 6, ITEMS, words);
  }

  private static List<String> divide(LoaderConfig config, int ranks) {
    LoaderConfig ranked = config.withRanks(0, ranks, ranks);
    List<String> lines = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      RankSampling sampling = new RankSampling(ranked, rank, 6);
      EpochOrder sampler = sampling.begin(3);
      lines.add(line(ranked, rank, sampling, sampler));
    }
    return lines;
  }

  private static String line(
      LoaderConfig config, int rank, RankSampling sampling, EpochOrder sampler) {
    String begun = json(sampler.state());
    List<Integer> order = new ArrayList<>();
    Residency residency = new Residency(List.of(1), List.of(), List.of());
    Optional<Draw> draw = sampler.draw(residency, RingRole.LEADER);
    while (draw.isPresent()) {
      Draw out = draw.get();
      int[] found = Arrays.copyOf(out.candidates(), out.want());
      List<Integer> batch = new ArrayList<>();
      Arrays.stream(found).forEach(batch::add);
      Arrays.stream(out.missing(found)).forEach(batch::add);
      order.addAll(batch);
      sampler.settle(out, batch.stream().mapToInt(Integer::intValue).toArray());
      draw = sampler.draw(residency, RingRole.LEADER);
    }
    return ("{\"kind\": \"%s\", \"items\": %d, \"batch\": %d, \"seed\": %d, \"epoch\": 6, \"rank\": %d, \"ranks\": %d,"
            + " \"drop_last\": %s, \"equal_steps\": \"%s\",\n \"before\": %s,\n \"begun\": %s, \"padding_item\": %d,\n"
            + " \"order\": %s}")
        .formatted(
            config.sampler(),
            ITEMS,
            config.batch(),
            config.seed(),
            rank,
            config.ranks(),
            config.dropLast(),
            config.equalSteps().name().toLowerCase(Locale.ROOT),
            config.resume().map(GoldenRanksTest::json).orElse("null"),
            begun,
            sampling.paddingItem(),
            order);
  }

  private static String json(EpochState state) {
    return LongStream.of(state.delivered())
        .mapToObj(word -> String.format("\"%016x\"", word))
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
