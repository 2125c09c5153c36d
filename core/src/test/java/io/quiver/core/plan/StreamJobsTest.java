package io.quiver.core.plan;

import static io.quiver.core.plan.StreamCluster.MB;
import static io.quiver.core.plan.StreamCluster.dataset;
import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.plan.StreamCluster.Seen;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import io.quiver.core.plan.stream.StreamOrder;
import io.quiver.core.stream.AccessPattern;
import org.junit.jupiter.api.Test;

/** Checks that a stream over items of a data set is a job of it, and no tenant. */
final class StreamJobsTest {
  private static final long CAPACITY = 512 * MB;

  private final StreamCluster cluster = new StreamCluster(CAPACITY);

  @Test
  void aStreamOverItemsOfADataSetHasNoSpaceOfItsOwn() {
    cluster.job("training", 1, 300 * MB, 4);
    cluster.door("d", Seen.random(1, 300 * MB, 50).ofDataset(dataset(1))).settle();
    assertThat(cluster.spaces()).isZero();
    assertThat(cluster.chunks(1)).as("all of it, once").isEqualTo(300 * MB);
    assertThat(cluster.planned()).isLessThan(CAPACITY);
    assertThat(cluster.order(1)).extracting(StreamOrder::dataset).isEqualTo(dataset(1));
    assertThat(cluster.plan.forDoors().datasets())
        .as("doors insert into its chunks")
        .extracting(DatasetPlan::dataset)
        .containsExactly(dataset(1));
    assertThat(cluster.review().streams().getFirst().why()).contains("a job of it");
  }

  @Test
  void itsReadersCountWhereTheCapacityIsDivided() {
    cluster.job("one", 1, 400 * MB, 1.5).job("other", 2, 400 * MB, 1.5).settle();
    long even = cluster.chunks(1) - cluster.chunks(2);
    StreamCluster joined = new StreamCluster(CAPACITY);
    joined.job("one", builderOnOneGpu(1)).job("other", builderOnOneGpu(2));
    joined.door("d", Seen.random(1, 400 * MB, 50).ofDataset(dataset(1))).settle();
    assertThat(joined.chunks(1) - joined.chunks(2)).isGreaterThan(Math.abs(even) + 50 * MB);
  }

  private static JobReport.Builder builderOnOneGpu(int dataset) {
    return StreamCluster.builder("job-" + dataset, dataset, 400 * MB, 1.5)
        .traits(new JobTraits("", 1, ""));
  }

  @Test
  void ofADataSetThatNobodyPlansForAStreamIsATenantItself() {
    cluster.door("d", Seen.random(1, 300 * MB, 50).ofDataset(dataset(1))).settle();
    assertThat(cluster.disk(1)).isGreaterThanOrEqualTo(300 * MB);
    assertThat(cluster.order(1)).extracting(StreamOrder::dataset).isNull();
  }

  @Test
  void itsOwnSpaceGoesWhenAJobReadsTheDataSet() {
    cluster.door("d", Seen.random(1, 300 * MB, 50).ofDataset(dataset(1))).settle();
    cluster.job("training", 1, 300 * MB, 4).step();
    assertThat(cluster.spaces()).as("one copy, in chunks").isZero();
    cluster.leave("training").settle();
    assertThat(cluster.chunks(1)).as("the stream reads on").isEqualTo(300 * MB);
    assertThat(cluster.spaces()).isZero();
  }

  @Test
  void doorsThatNameDifferentDataSetsNameNone() {
    cluster.job("one", 1, 200 * MB, 4).job("other", 2, 200 * MB, 4);
    cluster
        .door("a", Seen.random(1, 50 * MB, 50).ofDataset(dataset(1)))
        .door("b", Seen.random(1, 50 * MB, 50).ofDataset(dataset(2)))
        .settle();
    assertThat(cluster.order(1)).extracting(StreamOrder::dataset).isNull();
    assertThat(cluster.disk(1)).isGreaterThanOrEqualTo(50 * MB);
  }

  @Test
  void aScanOfADataSetIsNoJobOfIt() {
    cluster.job("training", 1, 300 * MB, 4);
    cluster.door("d", Seen.sequential(1, 300 * MB, 50).ofDataset(dataset(1))).settle();
    assertThat(cluster.pattern(1)).isEqualTo(AccessPattern.SEQUENTIAL);
    assertThat(cluster.order(1)).extracting(StreamOrder::dataset).isNull();
    assertThat(cluster.spaces()).isZero();
  }
}
