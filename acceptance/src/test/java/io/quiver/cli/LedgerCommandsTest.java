package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.ledger.LedgerBatch;
import io.quiver.core.ledger.LedgerHeader;
import io.quiver.core.ledger.LedgerList;
import io.quiver.core.ledger.LedgerOrder;
import io.quiver.core.ledger.LedgerWriter;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SamplerKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ledgers from the command line: judged over all ranks, and shown. */
class LedgerCommandsTest {
  @TempDir private Path folder;

  private String ledger(String name, String job, int rank, LedgerBatch... batches)
      throws Exception {
    Path file = folder.resolve(name);
    LedgerHeader header = new LedgerHeader(job, "0123abcd", 6, 42, SamplerKind.SUBSTITUTE, rank, 2);
    try (LedgerWriter writer = new LedgerWriter(Files.newOutputStream(file), header)) {
      for (LedgerBatch batch : batches) {
        writer.append(batch);
      }
    }
    return file.toString();
  }

  private static LedgerBatch batch(int step, int padding, int... items) {
    return new LedgerBatch(0, step, items, padding);
  }

  @Test
  void ranksProveTheirEpochTogetherAndNotAlone() throws Exception {
    String one = ledger("0.qlg", "resnet", 0, batch(0, 0, 5, 0, 3));
    String other = ledger("1.qlg", "resnet", 1, batch(0, 1, 2, 4, 1, 5));
    var both = Shell.plain().run("ledger", "verify", one, other);
    assertThat(both.exit()).as(both.err()).isZero();
    assertThat(both.err()).isEmpty();
    assertThat(both.out()).contains("resnet: 6 items").contains("exactly once in every epoch");

    var alone = Shell.plain().run("ledger", "verify", one);
    assertThat(alone.exit()).isEqualTo(5);
    assertThat(alone.out()).contains("missing: items 1, 2, 4").contains("some are missing");
    assertThat(Shell.plain().run("ledger", "verify", one, "--allow-incomplete").exit()).isZero();
  }

  @Test
  void anItemThatCameTwiceIsNeverAccepted() throws Exception {
    String one = ledger("0.qlg", "resnet", 0, batch(0, 0, 5, 0, 3), batch(1, 0, 3, 1, 2, 4));
    var ended = Shell.plain().run("ledger", "verify", one, "--allow-incomplete", "--json");
    assertThat(ended.exit()).isEqualTo(5);
    assertThat(ended.json().path("exactly_once").asBoolean()).isFalse();
    var epoch = ended.json().path("jobs").path(0).path("epochs").path(0);
    assertThat(epoch.path("doubled").asInt()).isEqualTo(1);
    assertThat(epoch.path("first_doubled").toString()).isEqualTo("[3]");
    assertThat(epoch.path("complete").asBoolean()).isTrue();
    assertThat(epoch.path("exactly_once").asBoolean()).isFalse();
  }

  @Test
  void severalJobsAreToldApart() throws Exception {
    String one = ledger("a.qlg", "a", 0, batch(0, 0, 5, 0, 3, 1, 2, 4));
    String other = ledger("b.qlg", "b", 0, batch(0, 0, 0, 1, 2, 3, 4, 5));
    var ended = Shell.plain().run("ledger", "verify", one, other, "--json");
    assertThat(ended.exit()).as(ended.err()).isZero();
    assertThat(ended.json().path("jobs")).hasSize(2);
  }

  @Test
  void aTornEndIsToldAndItsBatchIsMissing() throws Exception {
    Path file = Path.of(ledger("t.qlg", "t", 0, batch(0, 0, 5, 0, 3), batch(1, 0, 1, 2, 4)));
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 2));
    var verified = Shell.plain().run("ledger", "verify", file.toString());
    assertThat(verified.exit()).isEqualTo(5);
    assertThat(verified.err()).contains("not whole").hasLineCount(1);
    var shown = Shell.plain().run("ledger", "show", file.toString(), "--json").json();
    assertThat(shown.path("batches").asInt()).isEqualTo(1);
    assertThat(shown.path("torn_at").asInt()).isEqualTo(bytes.length - 16);
  }

  @Test
  void aLedgerWithoutBatchesProvesNothing() throws Exception {
    var ended = Shell.plain().run("ledger", "verify", ledger("e.qlg", "e", 0));
    assertThat(ended.exit()).isEqualTo(5);
    assertThat(ended.out()).contains("no batch was delivered");
  }

  @Test
  void aLedgerIsShown() throws Exception {
    String file = ledger("s.qlg", "resnet", 1, batch(0, 0, 5, 0, 3), batch(1, 1, 2, 4, 1, 5));
    var shown = Shell.plain().run("ledger", "show", file, "--batches", "1");
    assertThat(shown.exit()).as(shown.err()).isZero();
    assertThat(shown.out())
        .contains("0123abcd…")
        .contains("1 of 2")
        .contains("substitute")
        .contains("5 0 3")
        .doesNotContain("2 4 1");
    var json = Shell.plain().run("ledger", "show", file, "--json").json();
    assertThat(json.path("delivered").asInt()).isEqualTo(6);
    assertThat(json.path("padded").asInt()).isEqualTo(1);
    assertThat(json.path("torn_at").isNull()).isTrue();
    assertThat(json.path("first").path(1).path("items").toString()).isEqualTo("[2,4,1,5]");
  }

  @Test
  void aListIsProvenWithItsRepeatsAndItsCoverageIsTold() throws Exception {
    Path file = folder.resolve("list.qlg");
    LedgerHeader header = new LedgerHeader("shade", "0123abcd", 6, 42, LedgerOrder.LIST, 0, 1);
    try (LedgerWriter writer = new LedgerWriter(Files.newOutputStream(file), header)) {
      writer.append(LedgerList.whole(0, new ItemList(6, new int[] {5, 0, 5, 3})));
      writer.append(batch(0, 0, 5, 0, 5));
      writer.append(batch(1, 0, 3));
    }
    var verified = Shell.plain().run("ledger", "verify", file.toString());
    assertThat(verified.exit()).as(verified.err()).isZero();
    assertThat(verified.out())
        .contains("exactly the list in every epoch")
        .contains("50.0 %")
        .contains("as listed");
    var job = Shell.plain().run("ledger", "verify", file.toString(), "--json").json();
    assertThat(job.path("exactly_once").asBoolean()).isTrue();
    assertThat(job.path("jobs").path(0).path("kind").asText()).isEqualTo("list");
    var epoch = job.path("jobs").path(0).path("epochs").path(0);
    assertThat(epoch.path("expected").asInt()).isEqualTo(4);
    assertThat(epoch.path("coverage").asDouble()).isEqualTo(0.5);
    var shown = Shell.plain().run("ledger", "show", file.toString());
    assertThat(shown.out()).contains("lists").contains("5 0 5");

    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    var torn = Shell.plain().run("ledger", "verify", file.toString());
    assertThat(torn.exit()).isEqualTo(5);
    assertThat(torn.out()).contains("missing: items 3").contains("some entries are missing");
  }

  @Test
  void ledgersOfOneNameWithDifferentSeedsAreNotMixed() throws Exception {
    String one = ledger("0.qlg", "resnet", 0, batch(0, 0, 5));
    Path other = folder.resolve("x.qlg");
    LedgerHeader header =
        new LedgerHeader("resnet", "0123abcd", 6, 43, SamplerKind.SUBSTITUTE, 0, 2);
    new LedgerWriter(Files.newOutputStream(other), header).close();
    var ended = Shell.plain().run("ledger", "verify", one, other.toString());
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("different jobs").hasLineCount(1);
  }

  @Test
  void whatIsNoLedgerIsSaidInOneLine() throws Exception {
    var missing = Shell.plain().run("ledger", "verify", folder.resolve("gone").toString());
    assertThat(missing.exit()).isEqualTo(4);
    Path foreign = Files.writeString(folder.resolve("foreign"), "x".repeat(500));
    for (String command : new String[] {"verify", "show"}) {
      var ended = Shell.plain().run("ledger", command, foreign.toString());
      assertThat(ended.exit()).isEqualTo(1);
      assertThat(ended.err()).contains("foreign").contains("no ledger").hasLineCount(1);
      var open = Shell.plain().run("ledger", command, folder.toString());
      assertThat(open.exit()).isEqualTo(2);
      assertThat(open.err()).contains("folder").hasLineCount(1);
    }
    assertThat(Shell.plain().run("ledger").exit()).isEqualTo(2);
  }
}
