package io.quiver.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.order.ChunkLayout;
import io.quiver.core.placement.Member;
import io.quiver.core.placement.SlotTable;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementMarginTest {
  private static final DatasetKey KEY = new DatasetKey("00000000000000ab");

  @ParameterizedTest
  @CsvSource({"2, 5000", "3, 20000", "8, 20000", "50, 100000"})
  void whatAPlanMayFillFitsButForAFewBlobsWhicheverServerTheyFallTo(int servers, int items) {
    long each = 1000L * items / servers;
    long usable =
        PlacementMargin.usable(servers(servers, each), List.of(job(items, 1000L * items)));
    SlotTable table =
        SlotTable.of(IntStream.range(0, servers).mapToObj(i -> Member.of("server-" + i)).toList());
    SeededRuns.run(
        3,
        random -> {
          long[] filled = new long[servers];
          byte[] bytes = new byte[ContentHash.BYTES];
          for (long used = 0; used + 1000 <= usable; used += 1000) {
            random.nextBytes(bytes);
            filled[table.owner(ContentHash.of(bytes))] += 1000;
          }
          assertThat(LongStream.of(filled)).allMatch(length -> length <= 1.02 * each);
        });
  }

  @ParameterizedTest
  @CsvSource({"40, 500", "135, 540", "100, 110", "300, 3000", "95, 97"})
  void whatAPlanMayFillFitsServersOfUnlikeSize(int small, int large) {
    long mebibyte = 1L << 20;
    List<Observed<ServerReport>> servers =
        List.of(server("small", small * mebibyte), server("large", large * mebibyte));
    int items = 20_000;
    long item = (small + large) * mebibyte / 10_000;
    long usable = PlacementMargin.usable(servers, List.of(job(items, items * item)));
    SlotTable table =
        ServerPlan.slots(servers.stream().map(each -> ClusterMember.of(each.report())).toList());
    SeededRuns.run(
        5,
        random -> {
          long[] filled = new long[2];
          byte[] bytes = new byte[ContentHash.BYTES];
          for (long used = 0; used + item <= usable; used += item) {
            random.nextBytes(bytes);
            filled[table.owner(ContentHash.of(bytes))] += item;
          }
          assertThat(filled[0]).isLessThanOrEqualTo((long) (1.01 * large * mebibyte));
          assertThat(filled[1]).isLessThanOrEqualTo((long) (1.01 * small * mebibyte));
        });
  }

  @Test
  void aTinyServerDoesNotHoldBackALargeCluster() {
    List<Observed<ServerReport>> servers = new ArrayList<>(servers(4, 1L << 40));
    List<Observed<JobReport>> jobs = List.of(job(100_000_000, 1L << 43));
    long without = PlacementMargin.usable(servers, jobs);
    servers.add(server("tiny", 1L << 20));
    assertThat((double) PlacementMargin.usable(servers, jobs)).isGreaterThan(0.99 * without);
  }

  @Test
  void aSingleServerIsFilledIfEverythingFits() {
    assertThat(PlacementMargin.usable(servers(1, 1000), List.of(job(10, 1000)))).isEqualTo(1000);
    assertThat(PlacementMargin.usable(List.of(), List.of())).isZero();
  }

  @Test
  void theChunksOfAPlanFitIntoASingleServerThoughItemsDifferInLength() {
    int items = 20_000;
    ChunkLayout layout = new ChunkLayout(items, 100);
    SeededRuns.run(
        20,
        random -> {
          double[] lengths =
              IntStream.range(0, items).mapToDouble(i -> 50 + 100 * random.nextDouble()).toArray();
          long bytes = (long) DoubleStream.of(lengths).sum();
          for (double share : new double[] {0.1, 0.5, 0.9}) {
            long offered = (long) (share * bytes);
            long usable = PlacementMargin.usable(servers(1, offered), List.of(job(items, bytes)));
            int held = (int) (usable * layout.chunks() / bytes);
            double filled =
                IntStream.range(0, items)
                    .filter(i -> layout.chunkOf(i) < held)
                    .mapToDouble(i -> lengths[i])
                    .sum();
            assertThat(filled).isLessThanOrEqualTo((double) offered);
            assertThat(usable).isGreaterThan((long) (0.96 * offered));
          }
        });
  }

  private static List<Observed<ServerReport>> servers(int count, long bytes) {
    return IntStream.range(0, count).mapToObj(i -> server("s" + i, bytes)).toList();
  }

  private static Observed<ServerReport> server(String name, long bytes) {
    return new Observed<>(
        new ServerReport(name, "i", "http://" + name, bytes, Map.of(), 0, false), 0);
  }

  private static Observed<JobReport> job(int items, long bytes) {
    return new Observed<>(JobReport.of("job", "i", KEY, items, bytes, 10).build(), 0);
  }
}
