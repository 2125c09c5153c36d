package io.quiver.node.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.ledger.LedgerReader;
import io.quiver.core.ledger.LedgerReport;
import io.quiver.core.ledger.LedgerVerifier;
import io.quiver.core.order.EqualSteps;
import io.quiver.core.order.SamplerKind;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.node.job.TrainingJob.EpochProgress;
import io.quiver.node.job.TrainingJob.JobWatcher;
import io.quiver.remote.CountingStore;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestFile;
import io.quiver.remote.throttle.Throttle;
import io.quiver.remote.throttle.ThrottledStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on real clusters with a store that is slow. */
@Timeout(120)
class TrainingJobTest {
  private static final int ITEMS = 601;
  private static final Duration NO_WORK = Duration.ZERO;

  @TempDir private Path folder;
  private Scene scene;
  private DigestFile digest;
  private CountingStore store;

  @BeforeEach
  void makeData() throws Exception {
    scene = Scene.make(folder, ITEMS, 5000);
    digest = DigestFile.open(scene.digest());
    store = new CountingStore(FileStore.open(scene.data()));
  }

  @AfterEach
  void closeData() {
    digest.close();
    store.close();
  }

  private LoaderConfig config(String job) {
    return LoaderConfig.of(job, digest.digest(), store).withBatch(10).withSeed(5);
  }

  private static JobSummary run(JobStart start, Duration compute) throws Exception {
    try (start) {
      return new TrainingJob(start, compute, new Silence()).run();
    }
  }

  /** Takes no notice. */
  private static final class Silence implements JobWatcher {
    @Override
    public void running(EpochProgress now) {}

    @Override
    public void ended(EpochResult result) {}
  }

  private LedgerReport verify(String ledger) throws Exception {
    List<LedgerReader> readers = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(each -> each.getFileName().toString().startsWith(ledger)).toList()) {
        readers.add(JobLedger.open(file));
      }
      return LedgerVerifier.verify(readers);
    } finally {
      for (LedgerReader reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void jobsOfOneDataSetReadItFromTheStoreTogether() throws Exception {
    int jobs = 3;
    int epochs = 2;
    Throttle link =
        Throttle.realTime(
            4_000_000, new Throttle.Latency(Duration.ofMillis(2), Duration.ofMillis(1), 1));
    try (Node node = scene.cluster(2, digest.digest().totalBytes() / 2);
        RemoteStore slow = new ThrottledStore(store, link);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<JobSummary>> all = new ArrayList<>();
      for (int job = 0; job < jobs; job++) {
        LoaderConfig config =
            LoaderConfig.of("job-" + job, digest.digest(), slow)
                .withBatch(10)
                .withSeed(job)
                .withEpochs(epochs)
                .withManager(node.uri());
        all.add(() -> run(JobStart.withoutLedger(config), Duration.ofMillis(8)));
      }
      for (Future<JobSummary> each : threads.invokeAll(all)) {
        assertThat(each.get().exactlyOnce()).isTrue();
        assertThat(each.get().wrongItems()).isZero();
        assertThat(each.get().epochs()).hasSize(epochs);
      }
    }
    assertThat(store.counts().reads()).isBetween((long) ITEMS, 6L * jobs * epochs * ITEMS / 10);
  }

  @Test
  void ranksStepTogetherAndShareTheEpochEvenlyAsAsked() throws Exception {
    LoaderConfig three = config("ranks").withRanks(0, 3, 3);
    JobSummary keep = run(JobStart.withoutLedger(three), NO_WORK);
    JobSummary pad = run(JobStart.withoutLedger(three.withEqualSteps(EqualSteps.PAD)), NO_WORK);
    JobSummary drop = run(JobStart.withoutLedger(three.withEqualSteps(EqualSteps.DROP)), NO_WORK);
    assertThat(List.of(keep, pad, drop)).allMatch(JobSummary::exactlyOnce);
    assertThat(keep.epochs().getFirst().delivered().items()).isEqualTo(ITEMS);
    assertThat(pad.epochs().getFirst().delivered().items()).isEqualTo(603);
    assertThat(pad.epochs().getFirst().proof().padded()).isEqualTo(2);
    assertThat(drop.epochs().getFirst().delivered().items()).isEqualTo(600);
    assertThat(drop.epochs().getFirst().proof().missing()).isEqualTo(1);
  }

  @Test
  void everySamplerAndHomogeneousBatchesAreExactlyOnce() throws Exception {
    for (SamplerKind kind : SamplerKind.values()) {
      LoaderConfig config = config("kind").withSampler(kind).withEpochs(2).withRanks(0, 2, 2);
      assertThat(run(JobStart.withoutLedger(config), NO_WORK).exactlyOnce()).isTrue();
    }
    LoaderConfig alike = config("alike").withHomogeneous(true).withRanks(0, 2, 2);
    assertThat(run(JobStart.withoutLedger(alike), NO_WORK).exactlyOnce()).isTrue();
  }

  /** Runs a job until it has delivered some of an epoch, and stops it there. */
  private static void interrupt(Function<LoaderConfig, JobStart> starter, LoaderConfig config)
      throws Exception {
    CountDownLatch some = new CountDownLatch(12);
    JobStart start = starter.apply(config.withListener((epoch, rank, items) -> some.countDown()));
    AtomicReference<Exception> end = new AtomicReference<>();
    Thread job =
        Thread.ofPlatform()
            .start(() -> {
              try (start) {
                new TrainingJob(start, Duration.ofMillis(20), new Silence()).run();
              } catch (Exception e) {
                end.set(e);
              }
            });
    assertThat(some.await(40, TimeUnit.SECONDS)).isTrue();
    job.interrupt();
    assertThat(job.join(Duration.ofSeconds(20))).isTrue();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
  }

  private static JobStart anew(LoaderConfig config, Path ledger) {
    try {
      return JobStart.anew(config, ledger);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static JobStart resumed(LoaderConfig config, Path ledger) {
    try {
      return JobStart.resumed(config, ledger, Optional.of("resumed"), OptionalLong.of(5));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anInterruptedJobGoesOnWithAnyNumberOfRanks() throws Exception {
    Path ledger = folder.resolve("job.qlg");
    LoaderConfig config = config("resumed").withEpochs(2);
    try (Node node = scene.cluster(1, digest.digest().totalBytes() / 2)) {
      LoaderConfig cached = config.withManager(node.uri());
      interrupt(plain -> anew(plain, ledger), cached.withRanks(0, 3, 3));
      interrupt(plain -> resumed(plain, ledger), cached.withRanks(0, 2, 2));
      JobStart last =
          JobStart.resumed(
              cached.withJob("other").withSeed(0), ledger, Optional.empty(), OptionalLong.empty());
      assertThat(last.name()).isEqualTo("resumed");
      assertThat(last.config().seed()).isEqualTo(5);
      assertThat(run(last, NO_WORK).exactlyOnce()).isTrue();
    }
    LedgerReport report = verify("job.qlg");
    assertThat(report.exactlyOnce()).isTrue();
    assertThat(report.epochs()).hasSize(2);
    assertThat(report.ledgers()).isEqualTo(3 + 2 + 1);
    JobStart done = JobStart.resumed(config, ledger, Optional.empty(), OptionalLong.empty());
    assertThat(done.isDone()).isTrue();
    assertThat(run(done, NO_WORK).exactlyOnce()).isTrue();
  }

  @Test
  void nobodyGoesOnWithAJobThatStillRuns() throws Exception {
    Path ledger = folder.resolve("busy.qlg");
    LoaderConfig config = config("busy");
    try (RunLedgers running = RunLedgers.begin(LedgerFiles.at(ledger), "busy", config)) {
      assertThat(running.ofRank(0)).isNotNull();
      assertThatThrownBy(
              () -> JobStart.resumed(config, ledger, Optional.empty(), OptionalLong.empty()))
          .hasMessageContaining("still runs");
    }
    assertThat(JobStart.resumed(config, ledger, Optional.empty(), OptionalLong.empty()).isDone())
        .isFalse();
  }

  @Test
  void aJobWithoutACacheReadsEverythingFromTheStore() throws Exception {
    JobSummary summary = run(JobStart.withoutLedger(config("alone").withEpochs(2)), NO_WORK);
    assertThat(summary.exactlyOnce()).isTrue();
    assertThat(summary.total().orElseThrow().store().reads()).isEqualTo(2 * ITEMS);
    assertThat(summary.total().orElseThrow().delivered().hitRatio()).isZero();
  }
}
