package io.quiver.client.loader;

import io.quiver.client.JobNames;
import io.quiver.client.link.PlanLink;
import io.quiver.core.engine.JobMeter;
import io.quiver.core.engine.JobReporter;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.order.EpochState;
import io.quiver.core.order.ListState;
import io.quiver.core.plan.Caching;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobSpeeds;
import io.quiver.core.plan.report.JobTraits;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that a job has in this process: its link to the manager, the cache and its ranks' epochs. */
final class Job implements BatchLoader {
  private static final Logger LOG = LoggerFactory.getLogger(Job.class);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(10);
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(1);

  private final LoaderConfig config;
  private final String name;
  private final Tally tally = new Tally();
  private final LatestPlan board;
  private final JobMeter meter;
  private final JobReporter reporter;
  private final CacheAccess cache;
  private final FetchGate gate;
  private final Inserter inserter;
  private final Preloader preloader;
  private final Ranker ranker;
  private final @Nullable JobImportance importance;
  private final @Nullable PlanLink<JobPlan> link;
  private final RankEpoch.Parts parts;
  // Both guarded by this, by rank.
  private final Map<Integer, RankEpoch> running = new HashMap<>();
  private final Map<Integer, EpochState> ended = new HashMap<>();
  private boolean closed;

  private Job(LoaderConfig config) {
    this.config = config;
    this.name =
        config.ranksHere() == config.ranks() ? config.job() : config.job() + ".r" + config.rank();
    DatasetKey dataset = DatasetKey.of(config.digest().identity());
    this.board = new LatestPlan(dataset, config.digest().itemCount());
    this.meter = new JobMeter(config.ranksHere(), config.ahead().batches());
    this.reporter = reporter(config, name, dataset);
    board.watch(this::probe);
    this.cache = new CacheAccess(config, name, board);
    this.gate = new FetchGate(config.reads());
    this.inserter = new Inserter(config.inserts(), cache, tally);
    ItemReader reader = new ItemReader(config.digest(), config.store(), config.onMismatch());
    StoreFetcher fetcher = new StoreFetcher(config.digest(), reader, gate, inserter);
    this.preloader = new Preloader(config, name, cache, board, fetcher, tally, this::nudge);
    this.ranker = new Ranker(cache);
    this.importance =
        config.importance().map(choice -> new JobImportance(config, choice)).orElse(null);
    BatchReader batches = new BatchReader(config, cache, board, fetcher, ranker);
    this.parts =
        new RankEpoch.Parts(
            board,
            batches,
            meter,
            tally,
            (epoch, counts) ->
                new UpcomingReader(config.digest(), cache, batches::spaces, fetcher, epoch, counts),
            this::nudge,
            this::managerReachable,
            importance);
    this.link =
        config.caching() == Caching.PLANNED && !config.managers().isEmpty()
            ? link(config, name)
            : null;
  }

  private PlanLink<JobPlan> link(LoaderConfig config, String name) {
    PlanLink.Member<JobPlan> member =
        new PlanLink.Member<>("job", name, config.managers(), config.credentials(), JobPlan.class);
    try {
      return new PlanLink<>(member, board, this::report);
    } catch (IOException e) {
      throw new LoadException(member + ": " + e.getMessage(), e);
    }
  }

  private static JobReporter reporter(LoaderConfig config, String name, DatasetKey dataset) {
    String instance = UUID.randomUUID().toString();
    String store = StoreIdentity.of(config.store().uri());
    return new JobReporter(
        new JobReporter.ProcessName(name, config.job(), instance),
        new JobReporter.DatasetSize(
            dataset, config.digest().itemCount(), config.digest().totalBytes()),
        new JobReporter.TrainingRun(
            config.batch(),
            config.resume().map(EpochState::epoch).orElse(0),
            config.warming() ? 0 : config.epochs(),
            config.ranksHere(),
            config.ranks()),
        new JobTraits(config.user(), config.gpusHere(), store));
  }

  private void probe(JobPlan plan) {
    synchronized (meter) {
      meter.follow(plan.probe());
    }
  }

  static BatchLoader open(LoaderConfig config) {
    if (config.digest().itemCount() == 0) {
      throw new LoadException("job " + config.job() + ": the data set has no items", null);
    }
    Job job = new Job(config);
    if (!job.introduce()) {
      job.close();
      LoaderConfig renamed = config.withJob(JobNames.another(config.job()));
      LOG.warn("job {} goes on as {}", config.job(), renamed.job());
      job = new Job(renamed);
      job.introduce();
    }
    if (job.link != null) {
      job.link.start();
    }
    return job;
  }

  /** Introduces the job to a manager; returns false if another job has its name. */
  private boolean introduce() {
    return link == null || link.introduce();
  }

  private void nudge() {
    PlanLink<JobPlan> manager = link;
    if (manager != null) {
      manager.nudge();
    }
  }

  private boolean managerReachable() {
    return link != null && link.reachable();
  }

  @Override
  public LoadedEpoch epoch(int number, int rank) {
    requireSense(number, rank);
    RankEpoch epoch;
    synchronized (this) {
      if (closed) {
        throw new IllegalStateException("the loader of job " + name + " is closed");
      }
      RankEpoch former = running.get(rank);
      if (former != null) {
        former.close();
        if (importance == null) {
          ended.put(rank, former.state());
        }
      }
      epoch = new RankEpoch(config, number, rank, parts);
      running.put(rank, epoch);
    }
    nudge();
    return epoch;
  }

  private void requireSense(int number, int rank) {
    if (rank < config.rank() || rank >= config.rank() + config.ranksHere()) {
      throw new IllegalArgumentException("rank " + rank + " is not in this process");
    }
    if (config.warming()) {
      throw new IllegalStateException("job " + name + " only warms; it reads no epochs");
    }
    int first = config.resume().map(EpochState::epoch).orElse(0);
    if (number < first || number >= config.epochs()) {
      throw new IllegalArgumentException(
          "epoch " + number + "; this job runs epochs " + first + " to " + (config.epochs() - 1));
    }
  }

  private synchronized List<RankEpoch> runs() {
    return new ArrayList<>(running.values());
  }

  private JobReport report(boolean leaving) {
    long now = System.nanoTime();
    JobSpeeds speeds;
    synchronized (meter) {
      speeds = meter.speeds(now);
    }
    return reporter.report(
        runs(),
        leaving,
        board.version(),
        board.held(),
        preloader.loaded(),
        speeds,
        importance == null ? List.of() : importance.unread(),
        now);
  }

  @Override
  public synchronized EpochState state() {
    int items = config.digest().itemCount();
    if (running.isEmpty()) {
      return config
          .resume()
          .orElseGet(() -> new EpochState(config.seed(), 0, items, new long[(items + 63) >> 6]));
    }
    int epoch = running.values().stream().mapToInt(RankEpoch::number).min().orElseThrow();
    List<EpochState> states = new ArrayList<>();
    running.values().stream().map(RankEpoch::state).forEach(states::add);
    states.addAll(ended.values());
    return EpochState.merge(states.stream().filter(state -> state.epoch() == epoch).toList());
  }

  @Override
  public void report(int[] items, double[] losses) {
    requireImportance().report(items, losses);
  }

  @Override
  public void reportValidation(double accuracy) {
    requireImportance().reportValidation(accuracy);
  }

  @Override
  public synchronized ImportanceState importanceState() {
    JobImportance scores = requireImportance();
    int epoch = running.values().stream().mapToInt(RankEpoch::number).max().orElse(0);
    List<ListState> states =
        running.values().stream()
            .filter(run -> run.number() == epoch)
            .map(RankEpoch::listState)
            .toList();
    return scores.state(
        states.isEmpty()
            ? ListState.beginning(config.seed(), epoch, scores.begin(epoch).list())
            : ListState.merge(states));
  }

  private JobImportance requireImportance() {
    if (importance == null) {
      throw new IllegalStateException(
          "job " + name + " does not read by importance; make it with withImportance");
    }
    return importance;
  }

  @Override
  public Optional<JobPlan> plan() {
    return Optional.ofNullable(board.plan());
  }

  @Override
  public LoaderStatistics statistics() {
    return tally.statistics();
  }

  @Override
  public LoaderConfig config() {
    return config;
  }

  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      running.values().forEach(RankEpoch::close);
    }
    preloader.close(LONGEST_SETTLING);
    if (link != null) {
      link.close();
    }
    gate.close(LONGEST_GOODBYE);
    inserter.close();
    ranker.close();
    cache.close();
  }

  /**
   * A short name of a store, the same for all jobs that read it: what they read at the same time
   * they share. Made from where it is and its bucket, without user or password, and does not tell
   * either.
   */
  static final class StoreIdentity {
    private static final int DIGITS = 12;

    private StoreIdentity() {}

    static String of(String store) {
      byte[] place = place(store).getBytes(StandardCharsets.UTF_8);
      return ContentHash.ofContent(ByteBuffer.wrap(place)).toHex().substring(0, DIGITS);
    }

    private static String place(String store) {
      try {
        URI uri = new URI(store);
        String path = String.valueOf(uri.getPath()).replaceFirst("^/+", "");
        String authority = uri.getHost() == null ? "" : uri.getHost() + ":" + uri.getPort();
        return uri.getScheme() + "://" + authority + "/" + path.split("/", 2)[0];
      } catch (URISyntaxException e) {
        return "other";
      }
    }
  }
}
