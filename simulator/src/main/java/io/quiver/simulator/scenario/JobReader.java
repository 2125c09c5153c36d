package io.quiver.simulator.scenario;

import io.quiver.core.order.SamplerKind;
import java.util.ArrayList;
import java.util.List;

/** Reads the jobs of a scenario. */
final class JobReader {
  private static final int MAX_COUNT = 100_000;
  private static final double MAX_COMPUTE_MS = 1e8;
  private static final double SECONDS_PER_MINUTE = 60;

  private final Names machines;
  private final Names datasets;
  private final Names jobs;

  JobReader(Names machines, Names datasets, Names jobs) {
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
      double stagger = keys.number("stagger_s", 0, 0, Units.MAX_SECONDS);
      JobSpec first = job(keys, names.getFirst(), places.getFirst());
      keys.done();
      for (int i = 0; i < count; i++) {
        long start = first.startNanos() + Units.seconds(i * stagger);
        specs.add(placed(first, names.get(i), places.get(i % places.size()), start));
      }
    }
    if (specs.isEmpty()) {
      throw top.error("jobs", "there are none, so nothing would happen; list one at least");
    }
    return specs;
  }

  private JobSpec job(YamlKeys keys, String name, String machine) {
    double speed = keys.number("speed", 1, 1e-6, 1e6);
    double compute = keys.number("compute_ms", 0, MAX_COMPUTE_MS);
    boolean bounded = keys.has("epochs") || keys.has("batches") || keys.has("minutes");
    if (!bounded) {
      throw keys.error("epochs", "is missing; say when the job ends: epochs, batches or minutes");
    }
    double minutes = keys.number("minutes", Units.MAX_SECONDS, 1e-6, Units.MAX_SECONDS);
    return new JobSpec(
        name,
        machine,
        datasets.one(keys, "dataset"),
        (int) keys.whole("batch", 1, Integer.MAX_VALUE),
        Units.millis(compute / speed),
        keys.number("jitter", 0, 0, 0.99),
        (int) keys.whole("gpus", 1, 1, 1_000_000),
        (int) keys.whole("epochs", Integer.MAX_VALUE, 1, Integer.MAX_VALUE),
        keys.whole("batches", Long.MAX_VALUE, 1, Long.MAX_VALUE),
        Units.seconds(minutes * (minutes == Units.MAX_SECONDS ? 1 : SECONDS_PER_MINUTE)),
        Units.seconds(keys.number("start_s", 0, 0, Units.MAX_SECONDS)),
        sampler(keys));
  }

  private static SamplerKind sampler(YamlKeys keys) {
    String text = keys.text("sampler", SamplerKind.SUBSTITUTE.text());
    try {
      return SamplerKind.parse(text);
    } catch (IllegalArgumentException e) {
      throw keys.error("sampler", String.valueOf(e.getMessage()));
    }
  }

  private static JobSpec placed(JobSpec like, String name, String machine, long start) {
    return new JobSpec(
        name,
        machine,
        like.dataset(),
        like.batch(),
        like.computeNanos(),
        like.jitter(),
        like.gpus(),
        like.epochs(),
        like.batches(),
        like.nanos(),
        start,
        like.sampler());
  }
}
