package io.quiver.simulator.scenario;

import io.quiver.core.order.SamplerKind;
import io.quiver.simulator.scenario.Scenario.Compute;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import io.quiver.simulator.scenario.Scenario.Limits;
import io.quiver.simulator.scenario.Scenario.Transform;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the jobs of a scenario. */
final class JobReader {
  private static final int MAX_COUNT = 100_000;
  private static final int MAX_PROCESSES = 1024;
  private static final double MAX_COMPUTE_MS = 1e8;
  private static final double SECONDS_PER_MILLI = 1e-3;
  private static final double SECONDS_PER_MINUTE = 60;

  private final DeclaredNames machines;
  private final DeclaredNames datasets;
  private final DeclaredNames jobs;

  JobReader(DeclaredNames machines, DeclaredNames datasets, DeclaredNames jobs) {
    this.machines = machines;
    this.datasets = datasets;
    this.jobs = jobs;
  }

  List<JobSpec> read(YamlKeys top) {
    List<JobSpec> specs = new ArrayList<>();
    for (YamlKeys keys : top.list("jobs")) {
      int count = (int) keys.whole("count", 1, 1, MAX_COUNT);
      List<String> names = jobs.addGroup(keys, keys.text("name"), count);
      List<String> places = machines.group(keys, "machine");
      int processes = (int) keys.whole("processes", 1, 1, MAX_PROCESSES);
      String dataset = datasets.one(keys, "dataset");
      int batch = (int) keys.whole("batch", 1, Integer.MAX_VALUE);
      SamplerKind sampler = sampler(keys);
      long start = keys.seconds("start_s", 0);
      double stagger = keys.number("stagger_s", 0, 0, YamlKeys.MAX_SECONDS);
      Transform transform = transform(keys);
      Compute compute = compute(keys);
      Limits limits = limits(keys);
      keys.done();
      for (int i = 0; i < count; i++) {
        specs.add(
            new JobSpec(
                names.get(i),
                places(places, i * processes, processes),
                dataset,
                batch,
                sampler,
                start + YamlKeys.nanos(i * stagger),
                transform,
                compute,
                limits));
      }
    }
    if (specs.isEmpty()) {
      throw top.error("jobs", "there are none, so nothing would happen; list one at least");
    }
    return specs;
  }

  /** Deals machines to the processes of a job in turn. */
  private static List<String> places(List<String> machines, int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> machines.get(i % machines.size()))
        .toList();
  }

  private static Transform transform(YamlKeys keys) {
    double millis = keys.number("transform_ms", 0, 0, MAX_COMPUTE_MS);
    int workers = (int) keys.whole("transform_workers", 1, 1, 1_000_000);
    return new Transform(YamlKeys.nanos(millis * SECONDS_PER_MILLI), workers);
  }

  private static Compute compute(YamlKeys keys) {
    double millis =
        keys.number("compute_ms", 0, MAX_COMPUTE_MS) / keys.number("speed", 1, 1e-6, 1e6);
    return new Compute(
        YamlKeys.nanos(millis * SECONDS_PER_MILLI),
        keys.number("jitter", 0, 0, 0.99),
        (int) keys.whole("gpus", 1, 1, 1_000_000));
  }

  private static Limits limits(YamlKeys keys) {
    if (!keys.has("epochs") && !keys.has("batches") && !keys.has("minutes")) {
      throw keys.error("epochs", "is missing; say when the job ends: epochs, batches or minutes");
    }
    double longest = YamlKeys.MAX_SECONDS / SECONDS_PER_MINUTE;
    double minutes = keys.number("minutes", longest, 1e-6, longest);
    return new Limits(
        (int) keys.whole("epochs", Integer.MAX_VALUE, 1, Integer.MAX_VALUE),
        keys.whole("batches", Long.MAX_VALUE, 1, Long.MAX_VALUE),
        keys.has("minutes") ? YamlKeys.nanos(minutes * SECONDS_PER_MINUTE) : Long.MAX_VALUE);
  }

  private static SamplerKind sampler(YamlKeys keys) {
    String text = keys.text("sampler", SamplerKind.SUBSTITUTE.text());
    try {
      return SamplerKind.parse(text);
    } catch (IllegalArgumentException e) {
      throw keys.error("sampler", String.valueOf(e.getMessage()));
    }
  }
}
