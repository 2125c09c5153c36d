package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.dataset.DigestMetadata;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.file.FileStore;
import io.quiver.remote.ingest.IngestOptions.EmptyItems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilesIngestTest {
  @TempDir Path folder;

  @Test
  void outputIsThatOfThePlainWayWhateverTheNumberOfWorkers() throws Exception {
    long seed = Long.getLong("quiver.test.seed", System.nanoTime());
    MemoryObjects store = Ingesting.randomObjects(new Random(seed), 700);
    byte[] expected = Ingesting.reference(store);
    for (int workers : new int[] {1, 2, 7, 32}) {
      IngestOptions options =
          Ingesting.plainFiles().withWork(workers, Ingesting.options().work().checkpointEvery());
      Ingesting.build(store, output(), options);
      assertThat(Files.readAllBytes(output()))
          .as("seed %d, %d workers", seed, workers)
          .isEqualTo(expected);
    }
    assertThat(PartialFolder.pathFor(output())).doesNotExist();
  }

  @Test
  void classesAreTheFirstFoldersInTheOrderOfTheirNames() throws Exception {
    MemoryObjects store =
        new MemoryObjects()
            .put("a-b/1", "x")
            .put("a/1", "y")
            .put("a/deep/2", "z")
            .put("zebra/1", "w")
            .put("README", "r");
    DatasetDigest digest = Ingesting.digest(store, output(), Ingesting.options());
    assertThat(digest.classNames()).containsExactly("a", "a-b", "zebra");
    assertThat(labelsByName(digest))
        .isEqualTo(
            Map.of("a-b/1", 1, "a/1", 0, "a/deep/2", 0, "zebra/1", 2, "README", DigestItem.NONE));
  }

  @Test
  void withoutFoldersThereAreNoLabels() throws Exception {
    MemoryObjects store = new MemoryObjects().put("1", "x").put("2", "y");
    DatasetDigest digest = Ingesting.digest(store, output(), Ingesting.options());
    assertThat(digest.hasLabels()).isFalse();
    assertThat(digest.metadata())
        .containsEntry(DigestMetadata.SOURCE, "memory:objects")
        .containsEntry(DigestMetadata.KIND, "auto");
  }

  @Test
  void sameFilesInTwoStoresAreOneDataSet() throws Exception {
    Random random = new Random(5);
    MemoryObjects memory = Ingesting.randomObjects(random, 100);
    Path files = Files.createDirectory(folder.resolve("files"));
    for (Map.Entry<String, byte[]> object : memory.contents().entrySet()) {
      Path file = files.resolve(object.getKey());
      Files.createDirectories(file.getParent());
      Files.write(file, object.getValue());
    }
    IngestReport one = Ingesting.build(memory, output(), Ingesting.options());
    try (FileStore store = FileStore.open(files)) {
      IngestReport other = Ingesting.build(store, output(), Ingesting.options());
      assertThat(other.identity()).isEqualTo(one.identity());
      assertThat(other.bytes()).isEqualTo(one.bytes());
    }
  }

  @Test
  void emptyStoreIsRefused() {
    assertThatThrownBy(() -> Ingesting.build(new MemoryObjects(), output(), Ingesting.options()))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("no items found below memory:objects")
        .hasMessageContaining("check the address");
    assertThat(output()).doesNotExist();
  }

  @Test
  void zeroByteItemsAreRefusedSkippedOrKept() throws Exception {
    MemoryObjects store = new MemoryObjects().put("full", "x").put("void", "");
    assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("'void' has zero bytes");
    IngestReport skipped = Ingesting.build(store, output(), rules(EmptyItems.SKIP));
    assertThat(skipped.items()).isEqualTo(1);
    assertThat(skipped.emptyItemsSkipped()).isEqualTo(1);
    DatasetDigest kept = Ingesting.digest(store, output(), rules(EmptyItems.KEEP));
    assertThat(kept.item(1))
        .isEqualTo(DigestItem.whole(ContentHash.ofContent(new byte[0]), 0, "void"));
  }

  @Test
  void itemOverTheLimitIsRefusedByName() {
    MemoryObjects store = new MemoryObjects().put("big", new byte[1001]).put("fits", "x");
    IngestOptions options = Ingesting.options().withRules(1000, EmptyItems.REFUSE, false);
    assertThatThrownBy(() -> Ingesting.build(store, output(), options))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("'big' has 1001 bytes, the limit is 1000");
  }

  @Test
  void unreadableObjectStopsTheBuildOrIsCounted() throws Exception {
    MemoryObjects store = new MemoryObjects().put("1", "x").put("2", "y").put("3", "z");
    store.forbid("2");
    assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("'2' cannot be read")
        .hasMessageContaining("AccessDenied");
    IngestReport report =
        Ingesting.build(
            store, output(), Ingesting.options().withRules(1000, EmptyItems.REFUSE, true));
    assertThat(report.items()).isEqualTo(2);
    assertThat(report.unreadableObjects()).isEqualTo(1);
    assertThat(report.complaints()).singleElement().asString().contains("'2' cannot be read");
  }

  @Test
  void globsChooseObjects() throws Exception {
    MemoryObjects store =
        new MemoryObjects().put("a/1.jpg", "1").put("a/1.txt", "2").put("b/2.jpg", "3");
    IngestOptions options = Ingesting.options().withNames(List.of("*.jpg"), List.of("b/**"));
    DatasetDigest digest = Ingesting.digest(store, output(), options);
    assertThat(digest.itemCount()).isEqualTo(1);
    assertThat(digest.objectName(0)).isEqualTo("a/1.jpg");
  }

  @Test
  void digestWrittenIntoItsOwnFolderIsNoItemOfIt() throws Exception {
    Files.writeString(folder.resolve("item"), "x");
    try (FileStore store = FileStore.open(folder)) {
      IngestReport first = Ingesting.build(store, output(), Ingesting.options());
      IngestReport second = Ingesting.build(store, output(), Ingesting.options());
      assertThat(first.items()).isEqualTo(1);
      assertThat(second).isEqualTo(first);
    }
  }

  @Test
  void missingFolderOfTheOutputIsNamed() {
    MemoryObjects store = new MemoryObjects().put("1", "x");
    Path nowhere = folder.resolve("no/such/x.qdg");
    assertThatThrownBy(() -> Ingesting.build(store, nowhere, Ingesting.options()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("create it first");
  }

  @Test
  void progressAddsUpToTheTotals() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(3), 200);
    DigestProgress progress = new DigestProgress();
    IngestReport report = DigestBuilder.build(store, output(), Ingesting.options(), progress);
    DigestProgress.Snapshot end = progress.snapshot();
    assertThat(end.phase()).isEqualTo(DigestProgress.Phase.DONE);
    assertThat(end.bytesDone()).isEqualTo(report.bytes());
    assertThat(end.bytesTotal()).hasValue(report.bytes());
    assertThat(end.objectsDone()).isEqualTo(200);
    assertThat(end.objectsTotal()).hasValue(200);
    assertThat(end.itemsDone()).isEqualTo(200);
  }

  private static IngestOptions rules(EmptyItems empty) {
    return Ingesting.options().withRules(1000, empty, false);
  }

  private Map<String, Integer> labelsByName(DatasetDigest digest) {
    return IntStream.range(0, digest.itemCount())
        .boxed()
        .collect(Collectors.toMap(i -> digest.item(i).objectName(), i -> digest.label(i)));
  }

  private Path output() {
    return folder.resolve("x.qdg");
  }
}
