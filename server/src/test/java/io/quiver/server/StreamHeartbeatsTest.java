package io.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.KeeperKind;
import io.quiver.core.keep.SpaceOrder;
import io.quiver.core.plan.ClusterMember;
import io.quiver.core.plan.ServerPlan;
import io.quiver.core.plan.allocate.StreamSpaceName;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.space.SpaceId;
import io.quiver.server.plan.PlanFollower;
import io.quiver.server.plan.PlanSource;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A running server follows plans for streams, and its heartbeats tell what their keepers miss. */
final class StreamHeartbeatsTest extends RunningServerTest {
  private static final SpaceId SKEWED = StreamSpaceName.of("0123456789abcdef");
  private static final SpaceId RANDOM = StreamSpaceName.of("fedcba9876543210");
  private static final SpaceId DOORS = new SpaceId("ds-doors");
  private static final int BYTES = 1_000;

  private final Manager manager = new Manager();
  private @Nullable PlanFollower follower;

  /** A manager whose plan the test decides. */
  private static final class Manager implements PlanSource {
    final BlockingQueue<ServerReport> reports = new LinkedBlockingQueue<>(1_000);
    private volatile ServerPlan plan = new ServerPlan(1, "ds-", List.of(), List.of());

    void order(SpaceOrder... spaces) {
      List<ClusterMember> members = List.of(new ClusterMember("s", "http://127.0.0.1:1", 1));
      plan = new ServerPlan(plan.version() + 1, "ds-", members, Arrays.asList(spaces));
    }

    @Override
    public ServerPlan report(ServerReport report) {
      boolean _ = reports.offer(report);
      return plan;
    }

    @Override
    public ServerPlan await(String server, long after, Duration time) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(2);
      return plan;
    }

    @Override
    public void close() {}
  }

  private void follow() {
    follower =
        PlanFollower.start(
            manager, "s", URI.create("http://127.0.0.1:1"), 1 << 20, server.store, server.server);
  }

  @AfterEach
  void end() {
    if (follower != null) {
      follower.close();
    }
  }

  /** Returns the first report from now on that is as wanted. */
  private ServerReport report(String what, Predicate<ServerReport> wanted) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    manager.reports.clear();
    while (true) {
      ServerReport report = Objects.requireNonNull(manager.reports.poll(30, TimeUnit.SECONDS));
      if (wanted.test(report)) {
        return report;
      }
      assertThat(System.nanoTime()).as(what + ", but %s", report).isLessThan(deadline);
    }
  }

  private void applied() throws Exception {
    long version = manager.plan.version();
    ServerReport _ = report("plan " + version, each -> each.planVersion() == version);
  }

  private void insert(SpaceId space, int number) throws Exception {
    byte[] content = content(number);
    String path = "PUT /v1/blobs/" + ContentHash.ofContent(content).toHex() + "?space=" + space;
    assertThat(client.ask(path, "", content).status()).isIn(200, 201, 507);
  }

  private static byte[] content(int number) {
    byte[] content = new byte[BYTES];
    new Random(number).nextBytes(content);
    return content;
  }

  private boolean has(int number) throws Exception {
    String hash = ContentHash.ofContent(content(number)).toHex();
    return client.ask("GET /v1/blobs/" + hash).status() == 200;
  }

  private static SpaceOrder order(SpaceId space, KeeperKind keeper, int blobs) {
    return new SpaceOrder(space, keeper, (long) blobs * BYTES);
  }

  @Test
  void heartbeatsTellWhatMoreBytesWouldHaveHit() throws Exception {
    manager.order(
        order(SKEWED, KeeperKind.FIFO3, 80),
        order(RANDOM, KeeperKind.UNIFORM, 10),
        order(DOORS, KeeperKind.FIFO3, 10));
    follow();
    applied();
    assertThat(report("keepers", each -> each.keepers().size() == 2).keepers())
        .as("of streams only")
        .containsOnlyKeys(SKEWED.name(), RANDOM.name());
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 100; i++) {
        insert(SKEWED, i);
      }
    }
    for (int i = 200; i < 215; i++) {
      insert(RANDOM, i);
    }
    ServerReport told =
        report(
            "misses of both",
            each ->
                counts(each, SKEWED).misses() > 90
                    && counts(each, SKEWED).ghostHits().stream().mapToDouble(hits -> hits).sum()
                        > 10
                    && counts(each, RANDOM).misses() > 14);
    assertThat(counts(told, SKEWED).usedBytes()).isBetween(1L, 80L * BYTES);
    assertThat(counts(told, RANDOM).usedBytes()).isEqualTo(10L * BYTES);
    assertThat(told.spaces()).containsKeys(SKEWED.name(), RANDOM.name());
  }

  private static KeeperCounts counts(ServerReport report, SpaceId space) {
    return report.keepers().getOrDefault(space.name(), KeeperCounts.NOTHING);
  }

  @Test
  void aPlanThatChangesThePolicyOfASpaceKeepsItsBlobs() throws Exception {
    manager.order(order(SKEWED, KeeperKind.UNIFORM, 40));
    follow();
    applied();
    for (int i = 0; i < 40; i++) {
      insert(SKEWED, i);
    }
    ServerReport _ = report("all inserted", each -> counts(each, SKEWED).misses() > 39);
    for (KeeperKind next : List.of(KeeperKind.FIFO3, KeeperKind.RECENT, KeeperKind.UNIFORM)) {
      manager.order(order(SKEWED, next, 40));
      applied();
      ServerReport after = report("a report", any -> true);
      assertThat(counts(after, SKEWED).usedBytes()).as("%s", next).isEqualTo(40L * BYTES);
      assertThat(counts(after, SKEWED).misses())
          .as("what the space had is no miss of %s", next)
          .isZero();
      assertThat(server.metricsText())
          .contains("quiver_kept_space_used_bytes{space=\"" + SKEWED + "\",keeper=\"" + next.word())
          .contains("\"} 40000\n");
    }
    assertThat(has(0)).isTrue();
    assertThat(has(39)).isTrue();
  }

  @Test
  void aLowerQuotaEvictsAtOnceAndNoneDropsTheSpace() throws Exception {
    manager.order(order(SKEWED, KeeperKind.FIFO3, 40));
    follow();
    applied();
    for (int i = 0; i < 40; i++) {
      insert(SKEWED, i);
    }
    manager.order(order(SKEWED, KeeperKind.FIFO3, 10));
    applied();
    assertThat(counts(report("a report", any -> true), SKEWED).usedBytes())
        .isLessThanOrEqualTo(10L * BYTES);
    manager.order();
    applied();
    ServerReport none = report("a report", any -> true);
    assertThat(none.keepers()).isEmpty();
    assertThat(none.spaces()).doesNotContainKey(SKEWED.name());
    assertThat(has(39)).isFalse();
  }
}
