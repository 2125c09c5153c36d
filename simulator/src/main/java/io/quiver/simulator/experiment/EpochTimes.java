package io.quiver.simulator.experiment;

import io.quiver.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Notes how long jobs take for their epochs and what they read from the store meanwhile. */
public final class EpochTimes implements Trace {
  private static final double NANOS = 1e9;

  private final Map<Integer, Run> jobs = new HashMap<>();

  /** The notes on one job. */
  private static final class Run {
    private long began;
    private long storeBytes;
    private final List<Double> seconds = new ArrayList<>();
    private final List<Long> bytes = new ArrayList<>();
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    Run run = new Run();
    run.began = now;
    jobs.put(job, run);
  }

  @Override
  public void storeRead(long now, int job, int items, long bytes, boolean demand) {
    run(job).storeBytes += bytes;
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    Run run = run(job);
    run.seconds.add((now - run.began) / NANOS);
    run.bytes.add(run.storeBytes);
    run.began = now;
    run.storeBytes = 0;
  }

  private Run run(int job) {
    return jobs.computeIfAbsent(job, any -> new Run());
  }

  /** Returns the average time of an epoch, or NaN if no job has finished it. */
  public double seconds(int epoch) {
    return jobs.values().stream()
        .filter(run -> run.seconds.size() > epoch)
        .mapToDouble(run -> run.seconds.get(epoch))
        .average()
        .orElse(Double.NaN);
  }

  /** Returns the bytes that all jobs together read from the store in an epoch. */
  long storeBytes(int epoch) {
    return jobs.values().stream()
        .filter(run -> run.bytes.size() > epoch)
        .mapToLong(run -> run.bytes.get(epoch))
        .sum();
  }
}
