package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.http.AccessControl;
import io.quiver.http.TlsConfig;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.testkit.Await;
import io.quiver.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Jobs in processes of their own, which end as processes do. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class JobProcessTest {
  private static final int ITEMS = 300;
  private static final int SOME_BYTES = 300;

  @TempDir private Path folder;
  private Scene scene;

  @BeforeEach
  void makeData() throws Exception {
    scene = Scene.make(folder, ITEMS, 3000);
  }

  private List<String> arguments(Node node, Path ledger, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "job",
                "--digest",
                scene.digest().toString(),
                "--manager",
                node.uri().toString(),
                "--batch",
                "4",
                "--epochs",
                "2",
                "--ledger",
                ledger.toString()));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private ChildProcess start(Node node, Path ledger, String... more) throws Exception {
    return ChildProcess.start(folder, arguments(node, ledger, more).toArray(String[]::new));
  }

  private Shell.Ended goOn(Node node, Path ledger, String... more) {
    List<String> arguments = arguments(node, ledger, more);
    arguments.addAll(List.of("--resume", "--compute-ms", "0", "--json"));
    return Shell.plain().run(arguments.toArray(String[]::new));
  }

  private static void awaitBatches(Path ledger) throws Exception {
    Await.until(
        "batches in " + ledger, () -> Files.exists(ledger) && Files.size(ledger) > SOME_BYTES);
  }

  private JsonNode verified(String ledgers) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("ledger", "verify", "--json"));
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(file -> file.getFileName().toString().startsWith(ledgers))
          .forEach(file -> arguments.add(file.toString()));
    }
    var ended = Shell.plain().run(arguments.toArray(String[]::new));
    assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
    return ended.json().path("jobs").path(0);
  }

  @Test
  void anInterruptedJobSaysGoodbyeAndGoesOnLater() throws Exception {
    Path ledger = folder.resolve("stopped.qlg");
    try (Node node = scene.cluster(1, 1 << 19);
        ChildProcess job = start(node, ledger, "--name", "stopped", "--compute-ms", "30")) {
      awaitBatches(ledger);
      assertThat(node.manager().jobs()).hasSize(1);
      long begin = System.nanoTime();
      assertThat(job.interrupt()).as(job.err()).isEqualTo(130);
      assertThat((System.nanoTime() - begin) / 1e9).as("seconds to end").isLessThan(6);
      assertThat(job.err()).contains("--resume").doesNotContain("unexpected");
      assertThat(node.manager().jobs()).isEmpty();
      var resumed = goOn(node, ledger, "--ranks", "3", "--uneven", "pad");
      assertThat(resumed.exit()).as(resumed.err()).isZero();
      assertThat(resumed.json().path("job").asText()).isEqualTo("stopped");
    }
    assertThat(verified("stopped.qlg").path("epochs")).hasSize(2);
  }

  @Test
  void aKilledJobHoldsNobodyUpAndGoesOnLater() throws Exception {
    Path doomed = folder.resolve("doomed.qlg");
    Path other = folder.resolve("other.qlg");
    try (Node node = scene.cluster(2, 1 << 18);
        ChildProcess first = start(node, doomed, "--name", "doomed", "--compute-ms", "20");
        ChildProcess second = start(node, other, "--name", "other", "--compute-ms", "5")) {
      awaitBatches(doomed);
      awaitBatches(other);
      first.kill();
      assertThat(second.await()).as(second.err()).isZero();
      assertThat(verified("other.qlg").path("epochs")).hasSize(2);
      var resumed = goOn(node, doomed, "--ranks", "2");
      assertThat(resumed.exit()).as(resumed.err()).isZero();
    }
    assertThat(verified("doomed.qlg").path("epochs")).hasSize(2);
  }

  @Test
  void whenTheWholeCacheIsGoneAJobGoesOnFromTheStoreAndSaysSoOnce() throws Exception {
    Path ledger = folder.resolve("lonely.qlg");
    Node node = scene.cluster(2, 1 << 20);
    try (ChildProcess job = start(node, ledger, "--name", "lonely", "--compute-ms", "8")) {
      awaitBatches(ledger);
      node.close();
      assertThat(job.await()).as(job.err()).isZero();
      assertThat(job.err().split("no cache server answers", -1)).as(job.err()).hasSize(2);
      assertThat(job.err()).contains("warning: ");
    } finally {
      node.close();
    }
    assertThat(verified("lonely.qlg").path("epochs")).hasSize(2);
  }

  @Test
  void everythingWorksOverTls() throws Exception {
    TestCertificate tls = TestCertificate.create(folder);
    String ca = tls.certificate().toString();
    try (Node node =
        scene.cluster(
            2,
            1 << 20,
            Optional.of(TlsConfig.server(tls.certificate(), tls.key())),
            AccessControl.OPEN)) {
      assertThat(node.servers().getFirst().uri().toString()).startsWith("https://");
      Shell shell = Shell.of(node.uri().toString());
      String file = scene.file(0).toString();
      var put = shell.run("put", file, "--ca", ca);
      assertThat(put.exit()).as(put.err()).isZero();
      assertThat(shell.run("get", put.out().substring(0, 64), "--ca", ca).outBytes())
          .isEqualTo(Files.readAllBytes(scene.file(0)));
      assertThat(shell.run("stat", "--ca", ca).exit()).isZero();
      var untrusted = shell.run("put", file);
      assertThat(untrusted.exit()).as(untrusted.err()).isEqualTo(3);
      String digest = scene.digest().toString();
      var warm = shell.run("warm", digest, "--ca", ca, "--json");
      assertThat(warm.exit()).as(warm.err()).isZero();
      assertThat(warm.json().path("whole").asBoolean()).isTrue();
      var job = shell.run("job", "--digest", digest, "--ca", ca, "--json", "--compute-ms", "0");
      assertThat(job.exit()).as(job.err()).isZero();
      assertThat(job.json().path("hit_ratio").asDouble()).isEqualTo(1);
    }
  }
}
