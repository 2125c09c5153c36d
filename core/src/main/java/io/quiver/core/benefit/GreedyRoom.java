package io.quiver.core.benefit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The paper's way (Quiver, §5.3): for each data set all of it, two chunks, or nothing, the highest
 * benefit for its cost first. Kept to compare with.
 *
 * <p>Where the paper's G = Σ b·n would reward jobs that gain nothing, n·(b − 1) is used.
 */
public final class GreedyRoom implements RoomPolicy {
  private record Choice(int dataset, long bytes, double worth) {
    double perByte() {
      return worth / Math.max(bytes, 1);
    }
  }

  @Override
  public long[] divide(List<DatasetDemand> demands, long room, long[] before) {
    List<Choice> choices = new ArrayList<>();
    for (int i = 0; i < demands.size(); i++) {
      choices.addAll(choices(demands.get(i), i));
    }
    choices.sort(
        Comparator.comparingDouble(Choice::perByte)
            .reversed()
            .thenComparingInt(Choice::dataset)
            .thenComparingLong(Choice::bytes));
    long[] shares = new long[demands.size()];
    long left = room;
    for (Choice choice : choices) {
      long cost = choice.bytes - shares[choice.dataset];
      if (cost > 0 && cost <= left) {
        shares[choice.dataset] = choice.bytes;
        left -= cost;
      }
    }
    return shares;
  }

  private static List<Choice> choices(DatasetDemand demand, int dataset) {
    int window = Math.min(DatasetDemand.WINDOW, demand.chunks());
    return java.util.stream.IntStream.of(window, demand.chunks())
        .distinct()
        .filter(held -> demand.bytes(held) <= demand.limit())
        .mapToObj(held -> new Choice(dataset, demand.bytes(held), demand.gpusSaved(held)))
        .filter(choice -> choice.worth > 0)
        .toList();
  }
}
