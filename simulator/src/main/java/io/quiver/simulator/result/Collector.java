package io.quiver.simulator.result;

import io.quiver.core.plan.Plan;
import io.quiver.simulator.result.SimulationResult.ChunkResidency;
import io.quiver.simulator.result.SimulationResult.ItemCounts;
import io.quiver.simulator.result.SimulationResult.JobResult;
import io.quiver.simulator.result.SimulationResult.TimelineSample;
import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** Makes results of the trace. Timelines are thinned out so that they stay short. */
public final class Collector implements Trace {
  private static final double NANOS = 1e9;
  private static final int MOST_SAMPLES = 2000;
  private static final int MOST_RESIDENCIES = 100_000;

  private final IntUnaryOperator gpus;
  private final TreeMap<Integer, JobTally> jobs = new TreeMap<>();
  private final Map<Integer, String> datasets = new HashMap<>();
  private final Map<ChunkPlace, Presence> present = new HashMap<>();
  private final List<ChunkResidency> residencies = new ArrayList<>();
  private long[] serverBytes = new long[0];
  private List<TimelineSample> samples = new ArrayList<>();
  private long sampleEvery = 1_000_000_000;
  private long nextSample;
  private long batches;
  private long storeBytes;
  private long cachedBytes;
  private long plans;

  private record ChunkPlace(int dataset, int chunk) {}

  /** The servers that have items of a chunk. */
  private static final class Presence {
    private final long since;
    private final boolean rotating;
    private final BitSet servers = new BitSet();

    Presence(long since, boolean rotating) {
      this.since = since;
      this.rotating = rotating;
    }

    /** Takes note that a server has no items any more; returns true if it was the last. */
    boolean isOverAt(int server) {
      boolean had = servers.get(server);
      servers.clear(server);
      return had && servers.isEmpty();
    }
  }

  /** Makes a collector; the operator tells how many GPUs a job has. */
  public Collector(IntUnaryOperator gpus) {
    this.gpus = gpus;
  }

  /** Returns the results of the jobs, in the scenario's order. */
  public List<JobResult> jobs(long now) {
    return jobs.values().stream().map(job -> job.result(now)).toList();
  }

  /** Returns the progress of all jobs over time. */
  public List<TimelineSample> timeline() {
    return List.copyOf(samples);
  }

  /** Returns the chunks in the cache over time. */
  public List<ChunkResidency> residencies() {
    return List.copyOf(residencies);
  }

  /** Returns the number of plans made. */
  public long plans() {
    return plans;
  }

  private JobTally job(int job) {
    return Objects.requireNonNull(jobs.get(job));
  }

  @Override
  public void dataset(long now, int dataset, String name, long items, boolean named) {
    datasets.put(dataset, name);
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    jobs.put(job, new JobTally(name, gpus.applyAsInt(job), now));
    sample(now);
  }

  @Override
  public void jobEnded(long now, int job, boolean killed) {
    job(job).ended(now, killed);
    sample(now);
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    batches++;
    job(job).delivered(items.length, stallNanos);
    if (now >= nextSample) {
      sample(now);
    }
  }

  @Override
  public void hits(long now, int job, int items, long bytes) {
    job(job).hit(items);
  }

  @Override
  public void storeRead(long now, int job, int items, long bytes, boolean demand) {
    storeBytes += bytes;
    job(job).readFromStore(items, bytes);
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    cachedBytes += bytes;
    count(server, bytes);
    if (chunk >= 0) {
      present
          .computeIfAbsent(new ChunkPlace(dataset, chunk), any -> new Presence(now, rotating))
          .servers
          .set(server);
    }
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    cachedBytes -= bytes;
    count(server, -bytes);
    ChunkPlace place = new ChunkPlace(dataset, chunk);
    Presence presence = present.get(place);
    if (presence != null && presence.isOverAt(server)) {
      leave(place, presence, now);
    }
  }

  @Override
  public void gaveUp(long now, int server, int dataset, int chunk, long bytes) {
    cachedBytes -= bytes;
    count(server, -bytes);
  }

  @Override
  public void serverGone(long now, int server) {
    count(server, 0);
    cachedBytes -= serverBytes[server];
    serverBytes[server] = 0;
    for (Map.Entry<ChunkPlace, Presence> each : List.copyOf(present.entrySet())) {
      if (each.getValue().isOverAt(server)) {
        leave(each.getKey(), each.getValue(), now);
      }
    }
  }

  private void count(int server, long bytes) {
    if (server >= serverBytes.length) {
      serverBytes = Arrays.copyOf(serverBytes, 2 * server + 1);
    }
    serverBytes[server] += bytes;
  }

  private void leave(ChunkPlace place, Presence presence, long now) {
    present.remove(place);
    if (residencies.size() < MOST_RESIDENCIES) {
      String name = Objects.requireNonNull(datasets.get(place.dataset));
      residencies.add(
          new ChunkResidency(
              name, place.chunk, presence.rotating, presence.since / NANOS, now / NANOS));
    }
  }

  @Override
  public void planned(long now, Plan plan) {
    plans++;
  }

  @Override
  public void ended(long now) {
    sample(now);
    List.copyOf(present.entrySet()).forEach(each -> leave(each.getKey(), each.getValue(), now));
    residencies.sort(
        Comparator.comparingDouble(ChunkResidency::fromSeconds)
            .thenComparing(ChunkResidency::dataset)
            .thenComparingInt(ChunkResidency::chunk));
  }

  private void sample(long now) {
    samples.add(new TimelineSample(now / NANOS, batches, storeBytes, cachedBytes));
    nextSample = now + sampleEvery;
    if (samples.size() > MOST_SAMPLES) {
      List<TimelineSample> thinned = new ArrayList<>();
      for (int i = 0; i < samples.size(); i += 2) {
        thinned.add(samples.get(i));
      }
      samples = thinned;
      sampleEvery *= 2;
    }
  }

  /** Counts what a job does. */
  private static final class JobTally {
    private final String name;
    private final int gpus;
    private final long startedAt;
    private long endedAt = -1;
    private boolean killed;
    private long batches;
    private long stallNanos;
    private long items;
    private long hits;
    private long storeItems;
    private long storeBytes;

    JobTally(String name, int gpus, long startedAt) {
      this.name = name;
      this.gpus = gpus;
      this.startedAt = startedAt;
    }

    void delivered(int count, long stall) {
      batches++;
      items += count;
      stallNanos += stall;
    }

    void hit(int count) {
      hits += count;
    }

    void readFromStore(int count, long bytes) {
      storeItems += count;
      storeBytes += bytes;
    }

    void ended(long now, boolean byForce) {
      endedAt = now;
      killed = byForce;
    }

    JobResult result(long now) {
      long end = endedAt < 0 ? now : endedAt;
      return new JobResult(
          name,
          gpus,
          startedAt / NANOS,
          (end - startedAt) / NANOS,
          batches,
          stallNanos / NANOS,
          new ItemCounts(items, hits, storeItems, storeBytes),
          killed);
    }
  }
}
