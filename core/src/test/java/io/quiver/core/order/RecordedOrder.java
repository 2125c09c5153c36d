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
 * to the order and every answer, as JSON.
 */
final class RecordedOrder {
  private final String kind;
  private final OrderSetup setup;
  private final @Nullable OrderState before;
  private final BatchOrder order;
  private final Random random;
  private final boolean whole;
  private final List<Draw> draws = new ArrayList<>();
  private final List<Draw> out = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private String list = "";

  /**
   * Prepares an epoch to be played.
   *
   * @param before the state it is resumed from; null at its beginning
   * @param whole true if every draw is delivered whole, or else at times only in part
   */
  private RecordedOrder(
      String kind,
      OrderSetup setup,
      @Nullable OrderState before,
      BatchOrder order,
      Random random,
      boolean whole) {
    this.kind = kind;
    this.setup = setup;
    this.before = before;
    this.order = order;
    this.random = random;
    this.whole = whole;
  }

  /** Records an order of a whole epoch. */
  static RecordedOrder ofEpoch(
      SamplerKind kind,
      OrderSetup setup,
      @Nullable EpochState before,
      Random random,
      boolean whole) {
    EpochOrder order =
        before == null ? EpochOrder.begin(kind, setup, 2) : EpochOrder.resume(kind, setup, before);
    return new RecordedOrder(kind.text(), setup, before, order, random, whole);
  }

  /** Records an order of a list. */
  static RecordedOrder ofList(
      ItemList list,
      int lookAhead,
      OrderSetup setup,
      @Nullable ListState before,
      Random random,
      boolean whole) {
    ListOrder order =
        before == null
            ? ListOrder.begin(setup, 2, list, lookAhead)
            : ListOrder.resume(setup, before, lookAhead);
    RecordedOrder recorded = new RecordedOrder("list", setup, before, order, random, whole);
    recorded.list =
        " \"look_ahead\": %d, \"sha256\": \"%s\",\n \"list\": %s,\n"
            .formatted(lookAhead, list.sha256(), json(list.entries()));
    return recorded;
  }

  /** Plays so many settled draws, or to the end; what is out then goes back. */
  OrderState play(int settles) {
    for (int settled = 0; settled < settles && !order.finished(); ) {
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
    return order.state();
  }

  private boolean draw() {
    Residency residency = residency();
    RingRole ringRole = random.nextBoolean() ? RingRole.LEADER : RingRole.FOLLOWER;
    int ahead = random.nextInt(8) == 0 ? setup.batch() + 3 : 0;
    String upcoming = ahead == 0 ? "" : ", \"upcoming\": " + json(order.upcoming(ahead));
    Optional<Draw> draw = order.draw(residency, ringRole);
    steps.add(
        "{\"draw\": {\"pinned\": %s, \"window\": %s, \"loading\": %s, \"ring\": %s}, \"ring_role\": \"%s\""
                .formatted(
                    residency.pinned(),
                    residency.window(),
                    residency.loading(),
                    residency.ring(),
                    ringRole.name().toLowerCase(Locale.ROOT))
            + upcoming
            + draw.map(RecordedOrder::json).orElse("")
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
    order.settle(draw, delivered);
    steps.add(
        "{\"settle\": %d, \"delivered\": %s, \"available\": %d}"
            .formatted(draws.indexOf(draw), json(delivered), order.available()));
  }

  private Residency residency() {
    List<Integer> shuffled = new ArrayList<>(IntStream.range(0, setup.chunks()).boxed().toList());
    Collections.shuffle(shuffled, random);
    int pinned = random.nextInt(shuffled.size() / 2 + 1);
    int window = random.nextInt(Math.min(3, shuffled.size() - pinned) + 1);
    int loading = random.nextInt(Math.min(2, shuffled.size() - pinned - window) + 1);
    return new Residency(
        shuffled.subList(0, pinned),
        shuffled.subList(pinned, pinned + window),
        shuffled.subList(pinned + window, pinned + window + loading),
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

  /** Returns all of it. */
  String json() {
    String left =
        IntStream.range(0, setup.chunks())
            .mapToObj(chunk -> Integer.toString(order.available(chunk)))
            .collect(Collectors.joining(", ", "[", "]"));
    return "{\"kind\": \"%s\", \"items\": %d, \"chunks\": %d, \"batch\": %d, \"seed\": %d, \"epoch\": %d,\n"
            .formatted(
                kind, setup.items(), setup.chunks(), setup.batch(), setup.seed(), order.epoch())
        + " \"rank\": %d, \"ranks\": %d, \"drop_last\": %s, \"equal_steps\": \"%s\", \"homogeneous\": %s,\n"
            .formatted(
                setup.rank(),
                setup.ranks(),
                setup.dropLast(),
                setup.equalSteps().name().toLowerCase(Locale.ROOT),
                setup.homogeneous())
        + list
        + " \"before\": "
        + (before == null ? "null" : json(before))
        + ",\n \"steps\": [\n  "
        + String.join(",\n  ", steps)
        + "],\n \"left\": "
        + left
        + ", \"finished\": "
        + order.finished()
        + ",\n \"after\": "
        + json(order.state())
        + "}";
  }

  private static String json(OrderState state) {
    return switch (state) {
      case EpochState epoch -> json(epoch.delivered());
      case ListState list ->
          "{\"position\": %d, \"ahead\": %s}".formatted(list.position(), json(list.ahead()));
    };
  }

  private static String json(long[] words) {
    return LongStream.of(words)
        .mapToObj(word -> String.format("\"%016x\"", word))
        .collect(Collectors.joining(", ", "[", "]"));
  }

  static String json(int[] numbers) {
    return Arrays.toString(numbers);
  }
}
