package io.quiver.simulator.trace;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.JobSpeeds;
import java.util.List;

/** Tells several watchers everything, in their order. */
public final class Watchers implements Trace {
  private final Trace[] all;

  /** Tells these watchers. */
  public Watchers(List<? extends Trace> all) {
    this.all = all.toArray(Trace[]::new);
  }

  @Override
  public void dataset(long now, int dataset, String name, long items, boolean named) {
    for (Trace each : all) {
      each.dataset(now, dataset, name, items, named);
    }
  }

  @Override
  public void serverStarted(long now, int server, String name, long capacityBytes) {
    for (Trace each : all) {
      each.serverStarted(now, server, name, capacityBytes);
    }
  }

  @Override
  public void serverGone(long now, int server) {
    for (Trace each : all) {
      each.serverGone(now, server);
    }
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    for (Trace each : all) {
      each.jobStarted(now, job, name, dataset);
    }
  }

  @Override
  public void shared(long now, int job, int first, int ranks) {
    for (Trace each : all) {
      each.shared(now, job, first, ranks);
    }
  }

  @Override
  public void jobEnded(long now, int job, boolean killed) {
    for (Trace each : all) {
      each.jobEnded(now, job, killed);
    }
  }

  @Override
  public void requested(long now, int job, long request) {
    for (Trace each : all) {
      each.requested(now, job, request);
    }
  }

  @Override
  public void answered(long now, int job, long request) {
    for (Trace each : all) {
      each.answered(now, job, request);
    }
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    for (Trace each : all) {
      each.delivered(now, job, epoch, items, stallNanos);
    }
  }

  @Override
  public void transformed(long now, int job, long request, long began) {
    for (Trace each : all) {
      each.transformed(now, job, request, began);
    }
  }

  @Override
  public void computed(long now, int job, long request, long began) {
    for (Trace each : all) {
      each.computed(now, job, request, began);
    }
  }

  @Override
  public void listed(long now, int job, int epoch, int[] list) {
    for (Trace each : all) {
      each.listed(now, job, epoch, list);
    }
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    for (Trace each : all) {
      each.epochEnded(now, job, epoch);
    }
  }

  @Override
  public void hits(long now, int job, int items, long bytes) {
    for (Trace each : all) {
      each.hits(now, job, items, bytes);
    }
  }

  @Override
  public void storeRead(long now, int job, int items, long bytes, boolean demand) {
    for (Trace each : all) {
      each.storeRead(now, job, items, bytes, demand);
    }
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    for (Trace each : all) {
      each.stored(now, server, dataset, chunk, rotating, items, bytes);
    }
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    for (Trace each : all) {
      each.dropped(now, server, dataset, chunk, bytes);
    }
  }

  @Override
  public void gaveUp(long now, int server, int dataset, int chunk, long bytes) {
    for (Trace each : all) {
      each.gaveUp(now, server, dataset, chunk, bytes);
    }
  }

  @Override
  public void roleChanged(long now, int server, int dataset, int chunk, boolean rotating) {
    for (Trace each : all) {
      each.roleChanged(now, server, dataset, chunk, rotating);
    }
  }

  @Override
  public void measured(long now, int job, JobSpeeds speeds) {
    for (Trace each : all) {
      each.measured(now, job, speeds);
    }
  }

  @Override
  public void planned(long now, Plan plan) {
    for (Trace each : all) {
      each.planned(now, plan);
    }
  }

  @Override
  public void ended(long now) {
    for (Trace each : all) {
      each.ended(now);
    }
  }
}
