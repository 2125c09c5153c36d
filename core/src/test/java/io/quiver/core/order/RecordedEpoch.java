package io.quiver.core.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays an epoch of one rank with a cache that comes and goes, and writes down every question put
 * to the sampler and every answer, as JSON.
 */
final class RecordedEpoch {
  private final SamplerKind kind;
  private final OrderSetup setup;
  private final int epoch;
  private final @Nullable EpochState before;
  private final EpochOrder sampler;
  private final Random random;
  private final boolean whole;
  private final List<Draw> draws = new ArrayList<>();
  private final List<Draw> out = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();

  /**
   * An epoch to be played.
   *
   * @param before where it is taken up again; null for its beginning
   * @param whole whether every draw is delivered whole, or at times only a part or nothing
   */
  RecordedEpoch(
      SamplerKind kind,
      OrderSetup setup,
      int epoch,
      @Nullable EpochState before,
      Random random,
      boolean whole) {
    this.kind = kind;
    this.setup = setup;
    this.epoch = epoch;
    this.before = before;
    this.random = random;
    this.whole = whole;
    this.sampler =
        before == null
            ? EpochOrder.begin(kind, setup, epoch)
            : EpochOrder.resume(kind, setup, before);
  }

  /** Plays so many settled draws, or to the end; what is out then goes back. */
  EpochState play(int settles) {
    for (int settled = 0; settled < settles && !sampler.finished(); ) {
      if (out.size() < 3 && draw()) {
        continue;
      }
      Draw draw = out.remove(random.nextInt(out.size()));
      settle(draw, delivered(draw));
      settled++;
    }
    while (!out.isEmpty()) {
      settle(out.removeFirst(), new int[0]);
    }
    return sampler.state();
  }

  private boolean draw() {
    Residency residency = residency();
    RingRole ringRole = random.nextBoolean() ? RingRole.LEADER : RingRole.FOLLOWER;
    int ahead = random.nextInt(8) == 0 ? setup.batch() + 3 : 0;
    String upcoming = ahead == 0 ? "" : ", \"upcoming\": " + json(sampler.upcoming(ahead));
    Optional<Draw> draw = sampler.draw(residency, ringRole);
    steps.add(
        "{\"draw\": {\"pinned\": %s, \"window\": %s, \"loading\": %s, \"ring\": %s}, \"ring_role\": \"%s\""
                .formatted(
                    residency.pinned(),
                    residency.window(),
                    residency.loading(),
                    residency.ring(),
                    ringRole.name().toLowerCase(Locale.ROOT))
            + upcoming
            + draw.map(RecordedEpoch::json).orElse("")
            + "}");
    draw.ifPresent(draws::add);
    draw.ifPresent(out::add);
    return draw.isPresent();
  }

  private static String json(Draw draw) {
    return ", \"want\": %d, \"candidates\": %s, \"fetch\": %s, \"padding\": %d"
        .formatted(draw.want(), json(draw.candidates()), json(draw.fetch()), draw.padding().length);
  }

  private void settle(Draw draw, int[] delivered) {
    sampler.settle(draw, delivered);
    steps.add(
        "{\"settle\": %d, \"delivered\": %s, \"available\": %d}"
            .formatted(draws.indexOf(draw), json(delivered), sampler.available()));
  }

  private Residency residency() {
    List<Integer> order = new ArrayList<>(IntStream.range(0, setup.chunks()).boxed().toList());
    Collections.shuffle(order, random);
    int pinned = random.nextInt(order.size() / 2 + 1);
    int window = random.nextInt(Math.min(3, order.size() - pinned) + 1);
    int loading = random.nextInt(Math.min(2, order.size() - pinned - window) + 1);
    return new Residency(
        order.subList(0, pinned),
        order.subList(pinned, pinned + window),
        order.subList(pinned + window, pinned + window + loading),
        random.nextInt(3) != 0);
  }

  /** Most candidates are there; what lacks is read, or at times not. */
  private int[] delivered(Draw draw) {
    int[] found =
        Arrays.stream(draw.candidates())
            .filter(item -> random.nextInt(10) != 0)
            .limit(draw.want())
            .toArray();
    int[] all =
        IntStream.concat(Arrays.stream(found), Arrays.stream(draw.missing(found))).toArray();
    return whole || random.nextInt(3) != 0
        ? all
        : Arrays.copyOf(all, random.nextInt(all.length + 1));
  }

  /** All of it. */
  String json() {
    String left =
        IntStream.range(0, setup.chunks())
            .mapToObj(chunk -> Integer.toString(sampler.available(chunk)))
            .collect(Collectors.joining(", ", "[", "]"));
    return "{\"kind\": \"%s\", \"items\": %d, \"chunks\": %d, \"batch\": %d, \"seed\": %d, \"epoch\": %d,\n"
            .formatted(kind, setup.items(), setup.chunks(), setup.batch(), setup.seed(), epoch)
        + " \"rank\": %d, \"ranks\": %d, \"drop_last\": %s, \"equal_steps\": \"%s\", \"homogeneous\": %s,\n"
            .formatted(
                setup.rank(),
                setup.ranks(),
                setup.dropLast(),
                setup.equalSteps().name().toLowerCase(Locale.ROOT),
                setup.homogeneous())
        + " \"before\": "
        + (before == null ? "null" : json(before))
        + ",\n \"steps\": [\n  "
        + String.join(",\n  ", steps)
        + "],\n \"left\": "
        + left
        + ", \"finished\": "
        + sampler.finished()
        + ",\n \"after\": "
        + json(sampler.state())
        + "}";
  }

  private static String json(EpochState state) {
    return LongStream.of(state.delivered())
        .mapToObj(word -> String.format("\"%016x\"", word))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  static String json(int[] numbers) {
    return Arrays.toString(numbers);
  }
}
