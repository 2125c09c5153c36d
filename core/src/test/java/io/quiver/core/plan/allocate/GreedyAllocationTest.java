package io.quiver.core.plan.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The paper's cluster of Figure 6: four jobs on four GPUs each of three models. */
class GreedyAllocationTest {
  private static final long GB = 1_000_000_000L;

  /** Seconds of 7000 batches from the cache, from the store and together, as in Table 3. */
  private static final List<Demand> PAPER =
      List.of(
          demand("ResNet50", 154, 11, 646, 2505, 1064),
          demand("Inception", 531, 36, 1274, 2874, 1817),
          demand("DeepSpeech2", 90, 10, 1234, 1614, 1265));

  private static Demand demand(
      String model, long gigabytes, int chunks, double hit, double miss, double shared) {
    List<JobSpeed> jobs =
        IntStream.range(0, 4)
            .mapToObj(
                i -> new JobSpeed(model + i, 4, hit / 7000, miss / 7000, shared / 7000, false))
            .toList();
    return ring(gigabytes * GB, chunks, 2, jobs);
  }

  /** The paper's own allocation for 200 GB takes 201.5, so its sizes are likely binary. */
  @ParameterizedTest
  @CsvSource({
    "100, 28, 29.5, 18", // two chunks of each, as in the paper
    "200, 154, 29.5, 0", // all of ImageNet; LibriSpeech gives way
    "214.7, 154, 29.5, 18", // 200 GiB: all of ImageNet and two chunks of the others, as in the
    // paper
    "700, 154, 531, 0", // ImageNet and OpenImages, as in the paper
    "751.6, 154, 531, 18" // 700 GiB
  })
  void takesTheMostAddedWorthForItsAddedCostFirst(
      double room, double images, double photos, double speech) {
    assertThat(gigabytes(PAPER, room)).containsExactly(images, photos, speech);
  }

  @Test
  void bytesThatAddNothingGoToTheDataSetsWhoseJobsGainMost() {
    List<Demand> windowsSuffice =
        List.of(
            demand("DeepSpeech2", 90, 10, 1234, 1614, 1234),
            demand("ResNet50", 154, 11, 646, 2505, 646),
            demand("Inception", 531, 36, 1274, 2874, 1274));
    assertThat(gigabytes(windowsSuffice, 214.7)).containsExactly(18, 154, 29.5);
    assertThat(gigabytes(windowsSuffice, 751.6)).containsExactly(18, 154, 531);
  }

  @Test
  void aDivisionStaysUnlessOthersAreWholeThatAreWorthMore() {
    List<Demand> demands =
        List.of(
            demand("DeepSpeech2", 90, 10, 1234, 1614, 1234),
            demand("ResNet50", 154, 11, 646, 2505, 646));
    GreedyAllocation greedy = new GreedyAllocation(2);
    long[] speechFirst = {90 * GB, 28 * GB};
    long[] imagesFirst = {18 * GB, 154 * GB};
    CacheBudget budget = CacheBudget.of(180 * GB);
    assertThat(greedy.divide(demands, budget, speechFirst)).isEqualTo(imagesFirst);
    assertThat(greedy.divide(demands, budget, imagesFirst)).isEqualTo(imagesFirst);
  }

  private static double[] gigabytes(List<Demand> demands, double room) {
    CacheBudget budget = CacheBudget.of(Math.round(room * GB));
    long[] shares = new GreedyAllocation(2).divide(demands, budget, new long[0]);
    return Arrays.stream(shares).mapToDouble(share -> share / (double) GB).toArray();
  }

  @Test
  void marginalRoomIsWorthAtLeastAsMuch() {
    for (long room = 20; room <= 800; room += 20) {
      long[] greedy = new GreedyAllocation(2).divide(PAPER, CacheBudget.of(room * GB), new long[0]);
      long[] marginal =
          new MarginalAllocation().divide(PAPER, CacheBudget.of(room * GB), new long[0]);
      assertThat(worth(marginal)).as("%d GB", room).isGreaterThanOrEqualTo(0.999 * worth(greedy));
    }
  }

  private static double worth(long[] shares) {
    double sum = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += PAPER.get(i).gpusSaved(PAPER.get(i).steps(shares[i]));
    }
    return sum;
  }

  private static Demand ring(long bytes, int chunks, int window, List<JobSpeed> jobs) {
    DatasetKey key = new DatasetKey("0123456789abcdef");
    return Demand.ring(key, bytes, chunks, window, jobs.size(), jobs);
  }
}
