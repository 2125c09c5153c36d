package io.quiver.simulator;

import io.quiver.simulator.scenario.Scenario;
import java.util.Formatter;
import java.util.Locale;
import java.util.Random;

/** Small clusters with random sizes, speeds and accidents. */
final class RandomScenarios {
  private static final String[] KINDS = {
    "marginal", "marginal", "marginal", "greedy3", "lru", "none"
  };
  private static final String[] SAMPLERS = {"substitute", "substitute", "paper", "strict"};

  private final Random random;

  RandomScenarios(long seed) {
    random = new Random(seed);
  }

  Scenario next() {
    int machines = 1 + random.nextInt(5);
    int items = 200 + random.nextInt(3000);
    Formatter yaml = new Formatter(Locale.ROOT);
    String kind = KINDS[random.nextInt(KINDS.length)];
    yaml.format("everything_cached: %s%n", random.nextInt(8) == 0);
    yaml.format(
        "control: {delay_ms: %.3f, turn_ms: %d}%n", 50 * random.nextDouble(), random.nextInt(50));
    yaml.format("planner: {kind: %s, window: %d}%n", kind, 2 + random.nextInt(3));
    yaml.format("loader: {depth: %d, claims: %s}%n", 1 + random.nextInt(6), random.nextInt(4) > 0);
    yaml.format("stores:%n");
    yaml.format(
        "  - {name: blob, machine_mb_per_s: %.3f, latency_ms: %d}%n",
        5 + 100 * random.nextDouble(), random.nextInt(50));
    yaml.format("machines:%n");
    yaml.format("  - {name: vm, count: %d}%n", machines);
    yaml.format("  - {name: other}%n");
    yaml.format("servers:%n");
    yaml.format(
        "  - {machine: vm, cache_gb: %.6f}%n", items * 1e-4 * random.nextDouble() / machines);
    yaml.format("  - {machine: other, cache_gb: %.6f}%n", items * 1e-5 * random.nextDouble());
    yaml.format("datasets:%n");
    yaml.format(
        "  - {name: set, store: blob, items: %d, gb: %.6f, aggregate: %s}%n",
        items, items * 1e-4, random.nextInt(4) == 0 && !kind.equals("lru"));
    yaml.format("jobs:%n");
    yaml.format(
        "  - {name: job, count: %d, machine: vm, dataset: set, batch: %d, compute_ms: %d,"
            + " jitter: %.2f, epochs: 2, stagger_s: %.2f, sampler: %s}%n",
        2 + random.nextInt(4),
        1 + random.nextInt(60),
        1 + random.nextInt(100),
        random.nextDouble() / 2,
        random.nextDouble() * 3,
        SAMPLERS[random.nextInt(SAMPLERS.length)]);
    accidents(yaml);
    return Scenario.parse("random", yaml.toString());
  }

  private void accidents(Formatter yaml) {
    yaml.format("events:%n");
    yaml.format("  - {at_s: %.3f, join_server: late, machine: other, cache_gb: 0.01}%n", when());
    if (random.nextBoolean()) {
      yaml.format("  - {at_s: %.3f, kill_job: job-0}%n", when());
    }
    if (random.nextBoolean()) {
      yaml.format("  - {at_s: %.3f, kill_server: other}%n", when());
    }
    if (random.nextBoolean()) {
      double killed = when();
      yaml.format("  - {at_s: %.3f, kill_manager: true}%n", killed);
      yaml.format("  - {at_s: %.3f, start_manager: true}%n", killed + when() / 4);
    }
  }

  private double when() {
    return random.nextDouble() * 20;
  }
}
