package io.quiver.simulator.shade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quiver.simulator.shade.GeneratedSamples.Kind;
import io.quiver.simulator.shade.SampleTrace.Sampling;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LearnerTest {
  private static final SampleTrace.Size SIZE = new SampleTrace.Size(3_000, 6, 50, 5);

  @Test
  void trainingLowersTheLossAndRaisesTheAccuracy() {
    SampleTrace trace = SampleTrace.of(SIZE, Sampling.SHUFFLE, Kind.FEW_CLASSES, 0);
    assertThat(trace.losses().getLast()).isLessThan(0.5 * trace.losses().getFirst());
    assertThat(trace.accuracies()).hasSize(6 * SampleTrace.TESTS);
    assertThat(trace.accuracies().getLast()).isGreaterThan(0.8);
  }

  @Test
  void oneSeedGivesOneTraining() {
    for (Sampling sampling : List.of(Sampling.AHEAD, Sampling.POOL, Sampling.CACHED_THRICE)) {
      SampleTrace one = SampleTrace.of(SIZE, sampling, Kind.FEW_CLASSES, 500);
      SampleTrace same = SampleTrace.of(SIZE, sampling, Kind.FEW_CLASSES, 500);
      assertThat(same.accuracies()).isEqualTo(one.accuracies());
      assertThat(same.list(6)).isEqualTo(one.list(6));
    }
  }

  @Test
  void aWeightCountsLikeRepeatedSamples() {
    GeneratedSamples samples = GeneratedSamples.training(Kind.FEW_CLASSES, 20, 1);
    Learner repeated = new Learner(samples, GeneratedSamples.test(Kind.FEW_CLASSES, 1), 1);
    Learner weighted = new Learner(samples, GeneratedSamples.test(Kind.FEW_CLASSES, 1), 1);
    double[] weights = IntStream.range(0, 20).mapToDouble(item -> item == 3 ? 1.5 : 0.5).toArray();
    repeated.learn(new int[] {3, 3, 3, 4}, new double[0]);
    weighted.learn(new int[] {3, 4}, weights);
    double[] after = repeated.learn(new int[] {3, 4, 5}, new double[0]);
    double[] other = weighted.learn(new int[] {3, 4, 5}, new double[0]);
    assertThat(other).containsExactly(after, within(1e-4));
  }

  @Test
  void wrongLabelsAreOfTrainingSamplesOnly() {
    Kind noisy = Kind.FEW_CLASSES.withWrongLabels(0.1);
    GeneratedSamples wrong = GeneratedSamples.training(noisy, 10_000, 1);
    GeneratedSamples right = GeneratedSamples.training(Kind.FEW_CLASSES, 10_000, 1);
    long changed = IntStream.range(0, 10_000).filter(i -> wrong.label(i) != right.label(i)).count();
    assertThat(changed).isBetween(900L, 1_100L);
    assertThat(GeneratedSamples.test(noisy, 1).features())
        .isEqualTo(GeneratedSamples.test(Kind.FEW_CLASSES, 1).features());
  }
}
