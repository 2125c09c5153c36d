package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.remote.ingest.IngestOptions.EmptyItems;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A build that was interrupted goes on where it was and ends as if nothing had happened. */
class ResumeTest {
  @TempDir Path folder;

  @Test
  void interruptedAnyNumberOfTimesTheOutputIsTheSame() throws Exception {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    Random random = new Random(seed);
    MemoryObjects store = Ingesting.randomObjects(random, 500);
    byte[] expected = Ingesting.reference(store);
    int attempts = 0;
    boolean complete = false;
    while (!complete) {
      store.failAfter(60 + random.nextInt(100));
      complete = attempt(store, Ingesting.plainFiles());
      attempts++;
      assertThat(attempts).as("seed %d", seed).isLessThan(100);
    }
    assertThat(Files.readAllBytes(output())).as("seed %d", seed).isEqualTo(expected);
    assertThat(attempts).as("seed %d", seed).isGreaterThan(2);
    assertThat(PartialFolder.pathFor(output())).doesNotExist();
  }

  @Test
  void finishedObjectsAreNotReadAgain() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(1), 300);
    store.failAfter(200);
    assertThat(attempt(store, oneByOne(Ingesting.plainFiles()))).isFalse();
    store.allowAll();
    IngestReport report = Ingesting.build(store, output(), Ingesting.plainFiles());
    assertThat(report.reusedObjects()).isGreaterThan(100);
    assertThat(store.reads() + report.reusedObjects()).isEqualTo(300);
    assertThat(Files.readAllBytes(output())).isEqualTo(Ingesting.reference(store));
  }

  @Test
  void changedNewAndRemovedObjectsAreNoticed() throws Exception {
    MemoryObjects store = new MemoryObjects();
    for (int i = 0; i < 200; i++) {
      store.put("o%03d".formatted(i), "content " + i);
    }
    store.forbid("o190");
    assertThat(attempt(store, oneByOne(Ingesting.plainFiles()))).isFalse();
    store.allowAll();
    store.put("o010", "changed!").put("o020-new", "new");
    store.put("o000", "content 0");
    store.remove("o030");
    IngestReport report = Ingesting.build(store, output(), Ingesting.plainFiles());
    assertThat(report.reusedObjects()).isBetween(100L, 187L);
    assertThat(Files.readAllBytes(output())).isEqualTo(Ingesting.reference(store));
  }

  @Test
  void objectsWithoutVersionAreAlwaysReadAgain() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(1), 100);
    store.tellNoVersions();
    store.failAfter(90);
    assertThat(attempt(store, Ingesting.plainFiles())).isFalse();
    store.allowAll();
    IngestReport report = Ingesting.build(store, output(), Ingesting.plainFiles());
    assertThat(report.reusedObjects()).isZero();
    assertThat(store.reads()).isEqualTo(100);
  }

  @Test
  void otherOptionsStartOver() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(1), 100);
    store.failAfter(90);
    assertThat(attempt(store, Ingesting.plainFiles())).isFalse();
    store.allowAll();
    IngestOptions other = Ingesting.plainFiles().withRules(1 << 20, EmptyItems.KEEP, false);
    assertThat(Ingesting.build(store, output(), other).reusedObjects()).isZero();
  }

  @Test
  void membersAndLabelsAreReusedToo() throws Exception {
    MemoryObjects store =
        new MemoryObjects()
            .put("a/1", "x")
            .put("b/1.tar", TarIngestTest.archive(Map.of("m1", new byte[5]), 0))
            .put("c/1", "y")
            .put("d/1", "z");
    IngestOptions options = oneByOne(Ingesting.options());
    Ingesting.build(store, output(), options);
    byte[] expected = Files.readAllBytes(output());
    Files.delete(output());
    store.forbid("d/1");
    assertThat(attempt(store, options)).isFalse();
    store.allowAll();
    assertThat(Ingesting.build(store, output(), options).reusedObjects()).isEqualTo(3);
    assertThat(Files.readAllBytes(output())).isEqualTo(expected);
  }

  @Test
  void tornJournalAndShortColumnsAreNotTrusted() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(1), 200);
    byte[] expected = Ingesting.reference(store);
    for (String file : new String[] {"journal", "hashes", "object-entries", "versions"}) {
      for (int cut : new int[] {1, 33, 1000}) {
        store.failAfter(150);
        assertThat(attempt(store, Ingesting.plainFiles())).isFalse();
        shorten(file, cut);
        store.allowAll();
        Ingesting.build(store, output(), Ingesting.plainFiles());
        assertThat(Files.readAllBytes(output())).as("%s cut by %d", file, cut).isEqualTo(expected);
        Files.delete(output());
      }
    }
  }

  @Test
  void failedBuildLeavesTheOldOutputAlone() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(1), 50);
    Ingesting.build(store, output(), Ingesting.plainFiles());
    byte[] before = Files.readAllBytes(output());
    store.put("folder-0/zzz", "more");
    store.failAfter(20);
    assertThat(attempt(store, Ingesting.plainFiles())).isFalse();
    assertThat(Files.readAllBytes(output())).isEqualTo(before);
  }

  @Test
  void outputInTheMakingBelongsToOneBuild() throws Exception {
    MemoryObjects store = new MemoryObjects().put("1", "x");
    try (PartialFolder held = PartialFolder.lock(output())) {
      assertThat(held.file("lock")).exists();
      assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
          .isInstanceOf(IngestException.class)
          .hasMessageContaining("another process is building");
    }
  }

  /** Returns one worker: how far a build gets does not depend on which thread runs when. */
  private static IngestOptions oneByOne(IngestOptions options) {
    return options.withWork(1, options.work().checkpointEvery());
  }

  private boolean attempt(MemoryObjects store, IngestOptions options) throws InterruptedException {
    try {
      Ingesting.build(store, output(), options);
      return true;
    } catch (IOException e) {
      assertThat(e).isInstanceOf(IngestException.class).hasMessageContaining("cannot be read");
      return false;
    }
  }

  private void shorten(String name, int bytes) throws IOException {
    try (Stream<Path> files = Files.walk(PartialFolder.pathFor(output()))) {
      for (Path file : files.filter(each -> each.endsWith(name)).toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          channel.truncate(Math.max(0, channel.size() - bytes));
        }
      }
    }
  }

  private Path output() {
    return folder.resolve("x.qdg");
  }
}
