package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quiver.client.loader.BatchLoader;
import io.quiver.client.loader.LoaderConfig;
import io.quiver.core.ledger.LedgerBatch;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerWriter;
import io.quiver.core.order.SamplerKind;
import io.quiver.http.AccessControl;
import io.quiver.node.Node;
import io.quiver.node.Scene;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.DigestFile;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The job command as its users meet it: results, and one clear line for each kind of trouble. */
@Timeout(120)
class JobCommandTest {
  private static final int ITEMS = 120;

  @TempDir private static Path shared;
  private static Scene unchanged;

  @TempDir private Path folder;
  private Scene scene;

  @BeforeAll
  static void makeData() throws Exception {
    unchanged = Scene.make(shared, ITEMS, 3000);
  }

  @BeforeEach
  void useData() {
    scene = unchanged;
  }

  /** For tests that change it. */
  private void useOwnData() throws Exception {
    scene = Scene.make(folder, ITEMS, 3000);
  }

  private List<String> arguments(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("job", "--digest", scene.digest().toString(), "--compute-ms", "0"));
    arguments.addAll(List.of(more));
    return arguments;
  }

  private Shell.Ended alone(String... more) {
    List<String> arguments = arguments(more);
    arguments.add("--no-cache");
    return Shell.plain().run(arguments.toArray(String[]::new));
  }

  private Shell.Ended against(Node node, String... more) {
    return Shell.of(node.uri().toString()).run(arguments(more).toArray(String[]::new));
  }

  private static String nobody() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return "http://127.0.0.1:" + socket.getLocalPort();
    }
  }

  @Test
  void theDocumentTellsEachEpochAndAllOfThem() throws Exception {
    try (Node node = scene.cluster(1, 1 << 20)) {
      var ended = against(node, "--epochs", "3", "--batch", "8", "--ranks", "2", "--json");
      assertThat(ended.exit()).as(ended.err()).isZero();
      JsonNode json = ended.json();
      assertThat(json.path("items").asInt()).isEqualTo(ITEMS);
      assertThat(json.path("samples").asInt()).isEqualTo(3 * ITEMS);
      assertThat(json.path("cache").asBoolean()).isTrue();
      assertThat(json.path("ledger").isNull()).isTrue();
      assertThat(json.path("sampler").asText()).isEqualTo("substitute");
      assertThat(json.path("exactly_once").asBoolean()).isTrue();
      assertThat(json.path("wrong_items").asInt()).isZero();
      assertThat(json.path("epochs"))
          .hasSize(3)
          .allMatch(epoch -> epoch.path("exactly_once").asBoolean())
          .allMatch(epoch -> epoch.path("seconds").asDouble() > 0)
          .allMatch(epoch -> epoch.path("samples_per_second").asDouble() > 0);
      double hits = json.path("hit_ratio").asDouble();
      assertThat(hits).isBetween(0.0, 1.0);
      assertThat(json.path("stall").asDouble()).isBetween(0.0, 1.0);
      assertThat(json.path("store_reads").asInt()).isLessThan(3 * ITEMS);
    }
  }

  @Test
  void theTableIsForPeopleAndTheLedgerStays() {
    Path ledger = folder.resolve("run.qlg");
    var ended = alone("--epochs", "2", "--ledger", ledger.toString());
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.out())
        .contains("samples/s", "stall", "store reads", "duplicates", "exactly once")
        .containsPattern("(?m)^all .* yes$")
        .contains("run.qlg*");
    assertThat(ended.err()).contains("epoch 2/2").contains("exactly once");
    assertThat(Shell.plain().run("ledger", "verify", ledger.toString()).exit()).isZero();
    var again = alone("--epochs", "2", "--ledger", ledger.toString());
    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err()).contains("--resume").hasLineCount(1);
    var done = alone("--epochs", "2", "--ledger", ledger.toString(), "--resume");
    assertThat(done.exit()).as(done.err()).isZero();
    assertThat(done.out()).contains("all 2 epochs were done before");
    var more = alone("--epochs", "3", "--ledger", ledger.toString(), "--resume", "--json");
    assertThat(more.json().path("epochs")).hasSize(1);
    assertThat(more.json().path("epochs").path(0).path("epoch").asInt()).isEqualTo(2);
  }

  @Test
  void onATerminalOnlyColourAndBarsAreAdded() {
    var ended =
        Shell.terminal()
            .run(
                "job",
                "--digest",
                scene.digest().toString(),
                "--no-cache",
                "--compute-ms",
                "250",
                "--batch",
                "30");
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("epoch 1/1").contains("samples/s").contains("stall");
  }

  @Test
  void aLedgerThatIsNotExactlyOnceEndsTheJobWithItsOwnCode() throws Exception {
    Path ledger = folder.resolve("doubled.qlg");
    String dataset;
    try (DigestFile digest = DigestFile.open(scene.digest())) {
      dataset = digest.digest().identity().toHex().substring(0, 8);
    }
    LedgerHeader header =
        new LedgerHeader("doubled", dataset, ITEMS, 0, SamplerKind.SUBSTITUTE, 0, 1);
    try (LedgerWriter writer = new LedgerWriter(Files.newOutputStream(ledger), header)) {
      writer.append(new LedgerBatch(0, 0, new int[] {1, 2, 3}, 0));
      writer.append(new LedgerBatch(0, 1, new int[] {3, 4, 5}, 0));
    }
    var ended = alone("--epochs", "2", "--ledger", ledger.toString(), "--resume");
    assertThat(ended.exit()).as(ended.err()).isEqualTo(5);
    assertThat(ended.out()).contains("NO");
    assertThat(ended.err()).contains("NOT exactly once").contains("ledger verify");
  }

  @Test
  void withoutAClusterItReadsFromTheStore() throws Exception {
    var ended = Shell.of(nobody()).run(arguments("--json").toArray(String[]::new));
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.json().path("store_reads").asInt()).isEqualTo(ITEMS);
  }

  @ParameterizedTest
  @CsvSource({
    "--batch, 0",
    "--epochs, 0",
    "--epochs, many",
    "--ranks, 0",
    "--gpus, -1",
    "--workers, 0",
    "--compute-ms, -1",
    "--sampler, magic",
    "--uneven, sometimes",
    "--on-mismatch, maybe",
    "--name, a/b",
    "--manager, nowhere",
    "--store, ftp://host/x"
  })
  void anOptionThatMakesNoSenseIsAUsageErrorInOneLine(String option, String value) {
    var ended = Shell.plain().run("job", "--digest", scene.digest().toString(), option, value);
    assertThat(ended.exit()).as(ended.err()).isEqualTo(2);
    assertThat(ended.err()).contains(value).hasLineCount(1);
  }

  @Test
  void strictOrderHasNoHomogeneousBatches() {
    var ended = alone("--sampler", "strict", "--homogeneous");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("use the sampler substitute or paper").hasLineCount(1);
  }

  @Test
  void resumingNeedsALedger() {
    var ended = alone("--resume");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("--ledger").hasLineCount(1);
  }

  @Test
  void aMissingDigestOrStoreIsNotFound() {
    var digest = Shell.plain().run("job", "--digest", folder.resolve("none.qdg").toString());
    assertThat(digest.exit()).as(digest.err()).isEqualTo(4);
    assertThat(digest.err()).contains("none.qdg").hasLineCount(1);
    var store = alone("--store", folder.resolve("gone").toString());
    assertThat(store.exit()).as(store.err()).isEqualTo(4);
    assertThat(store.err()).contains("gone").hasLineCount(1);
  }

  @Test
  void aFileThatIsNoDigestIsSaidToBeNone() throws Exception {
    Path file = Files.writeString(folder.resolve("x.qdg"), "no digest");
    var ended = Shell.plain().run("job", "--digest", file.toString());
    assertThat(ended.exit()).isEqualTo(1);
    assertThat(ended.err()).contains("x.qdg").hasLineCount(1);
  }

  @Test
  void aStoreThatChangedIsNamedWithTheRemedy() throws Exception {
    useOwnData();
    byte[] content = Files.readAllBytes(scene.file(7));
    content[0]++;
    Files.write(scene.file(7), content);
    var refused = alone();
    assertThat(refused.exit()).as(refused.err()).isEqualTo(1);
    assertThat(refused.err()).contains("item 7 ").contains("make the digest again");
    var served = alone("--on-mismatch", "serve", "--json");
    assertThat(served.exit()).as(served.err()).isZero();
    assertThat(served.json().path("changed_items").asInt()).isEqualTo(1);
    Files.delete(scene.file(9));
    var gone = alone("--on-mismatch", "serve");
    assertThat(gone.exit()).as(gone.err()).isEqualTo(4);
    assertThat(gone.err()).contains("item 9 ").contains("it is not there");
  }

  @Test
  void aStoreThatDoesNotAnswerIsUnreachable() throws Exception {
    var ended = alone("--store", nobody() + "/list.txt");
    assertThat(ended.exit()).as(ended.err()).isEqualTo(3);
    assertThat(ended.err()).contains("127.0.0.1");
  }

  @Test
  void aLedgerOfAnotherDataSetNameOrSeedIsNotGoneOnWith() throws Exception {
    useOwnData();
    Path ledger = folder.resolve("mine.qlg");
    assertThat(alone("--ledger", ledger.toString(), "--name", "mine").exit()).isZero();
    String[] resume = {"--ledger", ledger.toString(), "--resume", "--epochs", "2"};
    var name = alone(with(resume, "--name", "yours"));
    assertThat(name.exit()).isEqualTo(2);
    assertThat(name.err()).contains("job mine").contains("--name").hasLineCount(1);
    var seed = alone(with(resume, "--seed", "9"));
    assertThat(seed.exit()).isEqualTo(2);
    assertThat(seed.err()).contains("seed 0").contains("--seed").hasLineCount(1);
    Files.writeString(scene.file(3), "another data set");
    scene.digestAgain();
    var dataset = alone(resume);
    assertThat(dataset.exit()).isEqualTo(2);
    assertThat(dataset.err()).contains("the digest it was begun with").hasLineCount(1);
  }

  private static String[] with(String[] arguments, String... more) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void aNameThatIsTakenEndsNoRunWhateverTheDataSet() throws Exception {
    useOwnData();
    try (Node node = scene.cluster(1, 1 << 20);
        DigestFile digest = DigestFile.open(scene.digest());
        FileStore store = FileStore.open(scene.data());
        BatchLoader running =
            BatchLoader.open(
                LoaderConfig.of("taken", digest.digest(), store).withManager(node.uri()))) {
      assertThat(running.statistics().delivered().items()).isZero();
      var same = against(node, "--name", "taken", "--json");
      assertThat(same.exit()).as(same.err()).isZero();
      assertThat(same.json().path("exactly_once").asBoolean()).isTrue();
      Files.writeString(scene.file(3), "another data set");
      scene.digestAgain();
      var other = against(node, "--name", "taken", "--json");
      assertThat(other.exit()).as(other.err()).isZero();
      assertThat(other.json().path("exactly_once").asBoolean()).isTrue();
    }
  }

  @Test
  void jobAndWarmShowTheirTokenAndPassAManagerThatDoesNotAnswer() throws Exception {
    Path rules = Files.writeString(folder.resolve("rules"), "token-of-a-trainer job trainer\n");
    Path token = Files.writeString(folder.resolve("token"), "token-of-a-trainer\n");
    try (Node node = scene.cluster(2, 4 << 20, Optional.empty(), AccessControl.of(rules))) {
      String managers = nobody() + "," + node.uri();
      Shell shell = Shell.with(Map.of("QUIVER_TOKEN_FILE", token.toString()));
      var warmed = shell.run("warm", scene.digest().toString(), "--manager", managers, "--json");
      assertThat(warmed.exit()).as(warmed.err()).isZero();
      assertThat(warmed.json().path("resident_items").asInt()).isEqualTo(ITEMS);
      var job = shell.run(arguments("--manager", managers, "--json").toArray(String[]::new));
      assertThat(job.exit()).as(job.err()).isZero();
      assertThat(job.json().path("store_reads").asInt()).as(job.err()).isZero();
      var stranger = against(node, "--json");
      assertThat(stranger.exit()).as(stranger.err()).isZero();
      assertThat(stranger.json().path("hit_ratio").asDouble()).as("without a token").isZero();
    }
  }
}
