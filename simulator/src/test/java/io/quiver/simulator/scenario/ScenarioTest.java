package io.quiver.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.quiver.core.order.SamplerKind;
import io.quiver.core.plan.PlannerKind;
import io.quiver.simulator.scenario.Scenario.Incident;
import io.quiver.simulator.scenario.Scenario.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioTest {
  private static final String GOOD =
      """
      name: a good one
      seed: 5
      everything_cached: false
      network: {mb_per_s: 1250, latency_ms: 0.2}
      control: {delay_ms: 2, turn_ms: 20}
      stores:
        - {name: blob, machine_mb_per_s: 172, shared_mb_per_s: 1000, latency_ms: 10}
      machines:
        - {name: vm, count: 3}
        - {name: big}
      servers:
        - {machine: vm, cache_gb: 2}
        - {machine: big, cache_gb: 20, disk_mb_per_s: 5000}
      datasets:
        - {name: imagenet, store: blob, items: 1000, gb: 15.4}
      jobs:
        - {name: resnet, count: 4, machine: vm, dataset: imagenet, batch: 64, compute_ms: 92,
           batches: 700, start_s: 3, stagger_s: 10, speed: 2, gpus: 4, sampler: strict}
        - {name: other, machine: big, dataset: imagenet, batch: 8, compute_ms: 5, epochs: 2}
      planner: {kind: lru, max_chunks: 20, max_chunk_gb: 1, batches_per_window: 5, budget_gb: 10}
      loader: {depth: 8, fetch_mb: 2, preload_reads: 3, claims: false, preload: true}
      events:
        - {at_s: 100, kill_job: resnet-1}
        - {at_s: 50, kill_server: vm-2}
        - {at_s: 60, join_server: vm-9, machine: vm-2, cache_gb: 2}
        - {at_s: 70, kill_manager: true}
        - {at_s: 71, start_manager: true}
      """;

  @Test
  void everyKeyIsUnderstood() {
    Scenario scenario = Scenario.parse("good.yaml", GOOD);
    assertThat(scenario.manager().planner().kind()).isEqualTo(PlannerKind.LRU);
    assertThat(scenario.inventory().fullyCached()).isFalse();
    assertThat(scenario.seed()).isEqualTo(5);
    assertThat(scenario.inventory().machines()).containsExactly("vm-0", "vm-1", "vm-2", "big");
    assertThat(scenario.inventory().servers()).hasSize(4);
    assertThat(scenario.inventory().servers().getLast().diskBytesPerSecond()).isEqualTo(5e9);
    assertThat(scenario.inventory().stores().getFirst().sharedBytesPerSecond()).hasValue(1e9);
    assertThat(scenario.inventory().datasets().getFirst().itemBytes()).isEqualTo(15_400_000);
    assertThat(scenario.loader().claims()).isFalse();
    assertThat(scenario.manager().planner().chunks().maxChunks()).isEqualTo(20);
    assertThat(scenario.manager().budgetBytes()).isEqualTo(10_000_000_000L);
    assertThat(scenario.incidents()).hasSize(5);
    assertThat(scenario.incidents().getFirst())
        .isEqualTo(new Incident.ServerKilled(50_000_000_000L, "vm-2"));
    JobSpec third = scenario.jobs().get(3);
    assertThat(third.name()).isEqualTo("resnet-3");
    assertThat(third.machines()).containsExactly("vm-0");
    assertThat(third.startNanos()).isEqualTo(33_000_000_000L);
    assertThat(third.compute().batchNanos()).isEqualTo(46_000_000);
    assertThat(third.sampler()).isEqualTo(SamplerKind.STRICT);
    assertThat(scenario.jobs().getLast().name()).isEqualTo("other");
  }

  @ParameterizedTest
  @CsvSource({
    "planned, GREEDY3, false",
    "lru, LRU, false",
    "none, NONE, false",
    "all, GREEDY3, true"
  })
  void theKeyOfOlderFilesIsRead(String caching, PlannerKind kind, boolean fullyCached) {
    String older = GOOD.replace("everything_cached: false", "caching: " + caching);
    Scenario scenario = Scenario.parse("x", older.replace("kind: lru", "kind: greedy3"));
    assertThat(scenario.manager().planner().kind()).isEqualTo(kind);
    assertThat(scenario.inventory().fullyCached()).isEqualTo(fullyCached);
  }

  private static void refused(String yaml, int line, String... parts) {
    assertThatExceptionOfType(ScenarioException.class)
        .isThrownBy(() -> Scenario.parse("bad.yaml", yaml))
        .satisfies(e -> assertThat(e.line()).as(e.getMessage()).isEqualTo(line))
        .satisfies(e -> assertThat(e.file()).isEqualTo("bad.yaml"))
        .withMessageStartingWith("bad.yaml:" + line + ": ")
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void aMisspeltKeyIsNamedWithItsLineAndTheRightOne() {
    refused(
        GOOD.replace("cache_gb: 20,", "cach_gb: 20, cache_gb: 20,"), 13, "cach_gb", "\"cache_gb\"");
    refused(GOOD.replace("seed: 5", "sead: 5"), 2, "sead", "did you mean \"seed\"");
    refused(GOOD.replace("seed: 5", "colour: red"), 2, "colour", "known here:", "machines");
    refused(GOOD.replace("depth: 8", "dpth: 8"), 21, "dpth", "depth");
  }

  @Test
  void withoutJobsNothingWouldHappen() {
    int jobs = GOOD.indexOf("jobs:");
    refused(GOOD.substring(0, jobs), 1, "jobs", "list one at least");
    refused(GOOD.substring(0, jobs) + "jobs: []\n", 16, "jobs", "list one at least");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "machine_mb_per_s: 172 | machine_mb_per_s: 0 | 7 | machine_mb_per_s",
        "machine_mb_per_s: 172 | machine_mb_per_s: -3 | 7 | machine_mb_per_s",
        "shared_mb_per_s: 1000 | shared_mb_per_s: 0 | 7 | shared_mb_per_s",
        "mb_per_s: 1250 | mb_per_s: 0 | 4 | network.mb_per_s",
        "disk_mb_per_s: 5000 | disk_mb_per_s: 0 | 13 | disk_mb_per_s",
        "items: 1000 | items: 0 | 15 | items",
        "items: 1000 | items: 99999999999 | 15 | items",
        "items: 1000 | items: 2.5 | 15 | whole number",
        "gb: 15.4 | gb: 0 | 15 | byte",
        "gb: 15.4 | gb: -1 | 15 | gb",
        "gb: 15.4 | gb: 1e30 | 15 | gb",
        "cache_gb: 2} | cache_gb: -2} | 12 | cache_gb",
        "cache_gb: 2} | cache_gb: lots} | 12 | give a number",
        "batch: 64 | batch: 0 | 17 | batch",
        "compute_ms: 92 | compute_ms: -92 | 17 | compute_ms",
        "speed: 2 | speed: 0 | 18 | speed",
        "count: 3 | count: 0 | 9 | count",
        "sampler: strict | sampler: lucky | 18 | substitute, paper or strict",
        "everything_cached: false | everything_cached: maybe | 3 | true or false",
        "everything_cached: false | caching: clever | 3 | everything_cached: true",
        "kind: lru | kind: clever | 20 | marginal, greedy3, lru or none",
        "gb: 15.4 | 'gb: 15.4, aggregate: true' | 15 | lru needs each",
        "claims: false | claims: maybe | 21 | true or false",
        "store: blob | store: bucket | 15 | no store is named bucket",
        "machine: big, dataset | machine: huge, dataset | 19 | no machine is named huge",
        "dataset: imagenet, batch: 8 | dataset: mnist, batch: 8 | 19 | no data set is named mnist",
        "kill_job: resnet-1 | kill_job: resnet | 23 | name one",
        "kill_job: resnet-1 | kill_job: vgg | 23 | no job is named vgg",
        "at_s: 100, kill_job: resnet-1 | at_s: 100 | 23 | say one of",
        "name: other | name: resnet | 19 | two jobs named resnet",
        "'name: big}' | 'name: vm}' | 10 | two machines named vm",
        "name: other | name: 'a b' | 19 | letters, digits",
        "' epochs: 2' | ' gpus: 2' | 19 | say when the job ends",
      })
  void whatCannotBeIsRefusedWithItsLineAndARemedy(
      String good, String bad, int line, String message) {
    assertThat(GOOD).contains(good);
    refused(GOOD.replace(good, bad), line, message);
  }

  @Test
  void aCacheNeedsServers() {
    String none =
        GOOD.replaceAll("(?m)^servers:\\n(  - .*\\n)+", "")
            .replaceAll("(?m)^events:\\n(  - .*\\n)+", "");
    refused(none, 1, "servers", "kind: none");
    Scenario uncached = Scenario.parse("x", none.replace("kind: lru", "kind: none"));
    assertThat(uncached.inventory().servers()).isEmpty();
  }

  @Test
  void whatIsNotYamlIsRefusedWithItsLine() {
    refused("jobs: [\n  {name: a\n", 2, "not YAML");
    refused("", 1, "empty");
    refused("- 1\n- 2\n", 1, "keys and values");
    refused("seed: 1\nseed: 2\n", 2, "given twice");
    refused("jobs: 5\n", 1, "give a list");
    refused("jobs:\n  - 5\n", 2, "give keys and values");
    refused("loader: 5\n", 1, "give keys and values");
  }

  @Test
  void aFileThatIsNotThereIsNamed(@TempDir Path folder) throws IOException {
    Path missing = folder.resolve("missing.yaml");
    assertThatExceptionOfType(ScenarioException.class)
        .isThrownBy(() -> Scenario.read(missing))
        .withMessageContaining("missing.yaml")
        .withMessageContaining("check the path");
    Path there = Files.writeString(folder.resolve("good.yaml"), GOOD);
    assertThat(Scenario.read(there).name()).isEqualTo("a good one");
  }
}
