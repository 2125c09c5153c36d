package io.quiver.simulator.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Checks that every batch a job asked for is read exactly once, unless the job ends before. */
public final class NoReadLost extends Judge {
  private final Map<Integer, Set<Long>> open = new HashMap<>();

  /** Creates a judge who has seen nothing. */
  public NoReadLost() {
    super("no read lost");
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    open.put(job, new HashSet<>());
  }

  @Override
  public void requested(long now, int job, long request) {
    if (!open.computeIfAbsent(job, any -> new HashSet<>()).add(request)) {
      broken(now, "job " + job + " asks for batch " + request + " twice");
    }
  }

  @Override
  public void answered(long now, int job, long request) {
    if (!open.computeIfAbsent(job, any -> new HashSet<>()).remove(request)) {
      broken(now, "job " + job + " gets batch " + request + ", which it did not ask for");
    }
  }

  @Override
  public void jobEnded(long now, int job, boolean killed) {
    open.remove(job);
  }

  @Override
  public void ended(long now) {
    open.forEach((job, requests) ->
        broken(now, "job " + job + " still waits for " + requests.size() + " batches"));
  }
}
