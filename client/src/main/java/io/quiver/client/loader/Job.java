package io.quiver.client.loader;

import io.quiver.core.order.ChunkLayout;
import io.quiver.core.order.EpochState;
import io.quiver.core.plan.Caching;
import io.quiver.core.plan.JobPlan;
import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetPlan;
import io.quiver.core.plan.report.JobReport;
import io.quiver.core.plan.report.JobTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** All that a job has in this process: its link to the manager, the cache and its ranks' epochs. */
final class Job implements BatchLoader {
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(10);
  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(1);

  private final LoaderConfig config;
  private final String name;
  private final String instance =
      HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  private final DatasetKey dataset;
  private final Tally tally = new Tally();
  private final PlanBoard board;
  private final JobMeter meter;
  private final JobTraits traits;
  private final CacheAccess cache;
  private final FetchGate gate;
  private final Inserter inserter;
  private final Preloader preloader;
  private final @Nullable PlanLink link;
  private final JobParts parts;
  // Both guarded by this, by rank.
  private final Map<Integer, RankEpoch> running = new HashMap<>();
  private final Map<Integer, EpochState> ended = new HashMap<>();
  private boolean closed;

  private Job(LoaderConfig config) {
    this.config = config;
    this.name =
        config.ranksHere() == config.ranks() ? config.job() : config.job() + ".r" + config.rank();
    this.traits =
        new JobTraits(config.user(), config.gpusHere(), StoreIdentity.of(config.store().uri()));
    this.dataset = DatasetKey.of(config.digest().identity());
    this.board = new PlanBoard(dataset, config.digest().itemCount());
    this.meter = new JobMeter(config, this::nudge);
    board.watch(meter::follow);
    this.cache = new CacheAccess(config, name, board);
    this.gate = new FetchGate(config.reads());
    this.inserter = new Inserter(config.inserts(), cache, tally);
    ItemReader reader = new ItemReader(config.digest(), config.store(), config.onMismatch());
    Fetches fetches = new Fetches(config.digest(), reader, gate, inserter);
    this.preloader = new Preloader(config, name, cache, board, fetches, tally, this::nudge);
    Assembler assembler = new Assembler(config, cache, board, fetches);
    this.parts =
        new JobParts(
            board,
            assembler,
            meter,
            tally,
            (order, counts) ->
                new UpcomingItems(
                    config.digest(), cache, assembler::spaces, fetches, order, counts),
            this::nudge,
            this::managerReachable);
    this.link =
        config.caching() == Caching.PLANNED
            ? config
                .manager()
                .map(manager -> new PlanLink(manager, name, board, this::report))
                .orElse(null)
            : null;
  }

  static BatchLoader open(LoaderConfig config) {
    if (config.digest().itemCount() == 0) {
      throw new LoadException("job " + config.job() + ": the data set has no items", null);
    }
    Job job = new Job(config);
    boolean opened = false;
    try {
      if (job.link != null) {
        job.link.open();
      }
      opened = true;
      return job;
    } finally {
      if (!opened) {
        job.close();
      }
    }
  }

  private void nudge() {
    PlanLink manager = link;
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
        ended.put(rank, former.state());
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

  private JobReport report(long sequence, boolean leaving) {
    List<RankEpoch> runs = runs();
    int epoch =
        runs.stream()
            .mapToInt(RankEpoch::number)
            .min()
            .orElseGet(() -> config.resume().map(EpochState::epoch).orElse(0));
    DatasetPlan held = board.held();
    List<Integer> remaining = held == null ? List.of() : remaining(runs, epoch, held.chunks());
    long now = System.nanoTime();
    return JobReport.of(
            name,
            instance,
            dataset,
            config.digest().itemCount(),
            config.digest().totalBytes(),
            config.batch() * config.ranksHere())
        .sequence(sequence)
        .epoch(epoch, !config.warming() && epoch >= config.epochs() - 1)
        .remaining(remaining)
        .loaded(preloader.loaded())
        .times(
            runs.stream().mapToDouble(run -> run.clock().itemSeconds()).max().orElse(0)
                / config.ranksHere(),
            runs.stream().mapToDouble(run -> run.clock().idleSeconds(now)).min().orElse(0))
        .leaving(leaving)
        .following(board.version(), held)
        .warming(config.warming())
        .traits(traits)
        .speeds(meter.speeds(now))
        .build();
  }

  /** What all ranks here have yet to read; none while some count by another division. */
  private List<Integer> remaining(List<RankEpoch> runs, int epoch, int chunks) {
    int[] sum = yetToBegin(runs.size(), chunks);
    for (RankEpoch run : runs) {
      int[] counts = run.number() == epoch ? run.remaining(chunks) : new int[chunks];
      if (counts == null) {
        return List.of();
      }
      for (int i = 0; i < chunks; i++) {
        sum[i] += counts[i];
      }
    }
    return IntStream.of(sum).boxed().toList();
  }

  /** The share of ranks that have not begun their first epoch. */
  private int[] yetToBegin(int begun, int chunks) {
    ChunkLayout layout = new ChunkLayout(config.digest().itemCount(), chunks);
    int waiting = config.warming() ? 0 : config.ranksHere() - begun;
    return IntStream.range(0, chunks)
        .map(chunk -> (int) ((long) layout.size(chunk) * waiting / config.ranks()))
        .toArray();
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
    cache.close();
  }
}
