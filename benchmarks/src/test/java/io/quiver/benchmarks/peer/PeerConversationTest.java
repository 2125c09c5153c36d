package io.quiver.benchmarks.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quiver.benchmarks.BenchmarkException;
import io.quiver.benchmarks.load.LoadGenerator;
import io.quiver.benchmarks.load.LoadGenerator.LoadShape;
import io.quiver.benchmarks.load.LoadResult;
import io.quiver.benchmarks.load.LoadTarget;
import io.quiver.benchmarks.workbench.BlobSet;
import io.quiver.benchmarks.workbench.NativePrograms;
import io.quiver.benchmarks.workbench.Workbench;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load generator understands every server and notices when one does not tell the truth. */
class PeerConversationTest {
  private static final int BATCH = 16;

  private static Workbench workbench;
  private static NativePrograms programs;
  private static LoadGenerator generator;
  private static List<BlobSet> sets;

  @BeforeAll
  static void prepare(@TempDir Path folder) throws Exception {
    workbench = Workbench.in(folder);
    programs = NativePrograms.compile(workbench);
    generator = new LoadGenerator(workbench, programs.loadGenerator());
    sets =
        List.of(BlobSet.create(workbench, 1_000, 100, 1), BlobSet.create(workbench, 40_000, 40, 2));
  }

  @AfterAll
  static void clear() {
    workbench.close();
  }

  @Test
  void theReferenceServerAnswersWithTheRightBlobs() throws Exception {
    assertServesEverySet(ReferenceServer.start(workbench, programs, sets));
  }

  @Test
  void memcachedAnswersWithTheRightBlobs() throws Exception {
    assertServesEverySet(installed(MemcachedServer.start(workbench, sets)));
  }

  @Test
  void redisAnswersWithTheRightBlobsEitherWay() throws Exception {
    RedisServer redis = installed(RedisServer.start(workbench, sets));
    assertServesEverySet(redis);
    assertServesEverySet(redis.pipelined());
  }

  @Test
  void nginxAnswersWithTheRightBlobs() throws Exception {
    assertServesEverySet(installed(NginxServer.start(workbench, sets)));
  }

  @Test
  void iperf3StreamsBytes() throws Exception {
    LoadResult result = installed(Iperf3Server.start(workbench)).run(1);
    assertThat(result.bytes()).isPositive();
    assertThat(result.seconds()).isPositive();
  }

  @Test
  void aServerWithOtherBytesIsFoundOut() throws Exception {
    BlobSet wrong = BlobSet.create(workbench, 2_000, 64, 3);
    LoadTarget target = ReferenceServer.start(workbench, programs, List.of(wrong)).target(wrong);
    try (FileChannel names = FileChannel.open(wrong.items(), StandardOpenOption.WRITE)) {
      // The server has the file mapped; the generator is given an older copy of it.
      BlobSet original = copyOf(wrong);
      names.write(ByteBuffer.allocate(2_000 * 64), 0);
      assertThatThrownBy(() -> generator.run("wrong", target, original, shape()))
          .isInstanceOf(BenchmarkException.class)
          .hasMessageContaining("not the blob that was asked for");
    }
  }

  @Test
  void aServerThatIsNotThereIsReported() {
    LoadTarget nobody = new LoadTarget("reference", 1, List.of());
    assertThatThrownBy(() -> generator.run("nobody", nobody, sets.getFirst(), shape()))
        .isInstanceOf(BenchmarkException.class)
        .hasMessageContaining("connect");
  }

  private static BlobSet copyOf(BlobSet set) throws Exception {
    Path copy = workbench.directory().resolve("copy-of-" + set.bytes());
    Files.copy(set.items(), copy);
    return new BlobSet(copy, set.names(), set.bytes(), set.count());
  }

  private static <T> T installed(Optional<T> server) {
    assumeTrue(server.isPresent(), "not installed");
    return server.orElseThrow();
  }

  private static void assertServesEverySet(PeerServer server) throws Exception {
    for (BlobSet set : sets) {
      LoadResult result = generator.run("conversation", server.target(set), set, shape());
      assertThat(result.batches()).isPositive();
      assertThat(result.bytes()).isEqualTo(result.batches() * BATCH * set.bytes());
      assertThat(result.clientCpuSeconds()).isNotNegative();
    }
  }

  private static LoadShape shape() {
    return LoadShape.full(BATCH, 0.02, 0.1, 7);
  }
}
