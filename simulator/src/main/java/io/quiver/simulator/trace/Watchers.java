package io.quiver.simulator.trace;

import io.quiver.core.plan.Plan;
import io.quiver.core.plan.report.JobSpeeds;
import java.util.List;

/** Tells several watchers everything, in their order. */
public final class Watchers implements Trace {
  private final List<Trace> all;

  /** These watchers. */
  public Watchers(List<? extends Trace> all) {
    this.all = List.copyOf(all);
  }

  @Override
  public void dataset(long now, int dataset, String name, long items, boolean named) {
    all.forEach(each -> each.dataset(now, dataset, name, items, named));
  }

  @Override
  public void serverStarted(long now, int server, String name, long capacityBytes) {
    all.forEach(each -> each.serverStarted(now, server, name, capacityBytes));
  }

  @Override
  public void serverGone(long now, int server) {
    all.forEach(each -> each.serverGone(now, server));
  }

  @Override
  public void jobStarted(long now, int job, String name, int dataset) {
    all.forEach(each -> each.jobStarted(now, job, name, dataset));
  }

  @Override
  public void jobEnded(long now, int job, boolean killed) {
    all.forEach(each -> each.jobEnded(now, job, killed));
  }

  @Override
  public void requested(long now, int job, long request) {
    all.forEach(each -> each.requested(now, job, request));
  }

  @Override
  public void answered(long now, int job, long request) {
    all.forEach(each -> each.answered(now, job, request));
  }

  @Override
  public void delivered(long now, int job, int epoch, int[] items, long stallNanos) {
    all.forEach(each -> each.delivered(now, job, epoch, items, stallNanos));
  }

  @Override
  public void listed(long now, int job, int epoch, int[] list) {
    all.forEach(each -> each.listed(now, job, epoch, list));
  }

  @Override
  public void epochEnded(long now, int job, int epoch) {
    all.forEach(each -> each.epochEnded(now, job, epoch));
  }

  @Override
  public void hits(long now, int job, int items, long bytes) {
    all.forEach(each -> each.hits(now, job, items, bytes));
  }

  @Override
  public void storeRead(long now, int job, int items, long bytes, boolean demand) {
    all.forEach(each -> each.storeRead(now, job, items, bytes, demand));
  }

  @Override
  public void stored(
      long now, int server, int dataset, int chunk, boolean rotating, int items, long bytes) {
    all.forEach(each -> each.stored(now, server, dataset, chunk, rotating, items, bytes));
  }

  @Override
  public void dropped(long now, int server, int dataset, int chunk, long bytes) {
    all.forEach(each -> each.dropped(now, server, dataset, chunk, bytes));
  }

  @Override
  public void turned(long now, int server, int dataset, int chunk, boolean rotating) {
    all.forEach(each -> each.turned(now, server, dataset, chunk, rotating));
  }

  @Override
  public void measured(long now, int job, JobSpeeds speeds) {
    all.forEach(each -> each.measured(now, job, speeds));
  }

  @Override
  public void planned(long now, Plan plan) {
    all.forEach(each -> each.planned(now, plan));
  }

  @Override
  public void ended(long now) {
    all.forEach(each -> each.ended(now));
  }
}
