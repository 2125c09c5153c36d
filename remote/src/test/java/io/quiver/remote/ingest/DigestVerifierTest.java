package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.remote.ingest.DigestVerifier.Finding;
import io.quiver.remote.ingest.DigestVerifier.Options;
import io.quiver.remote.ingest.DigestVerifier.Problem;
import io.quiver.remote.ingest.DigestVerifier.Report;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestVerifierTest {
  @TempDir Path folder;

  @Test
  void untouchedDataSetIsClean() throws Exception {
    MemoryObjects store = shards();
    store.put("z/file", "x".repeat(1000));
    DatasetDigest digest = digest(store);
    DigestProgress progress = new DigestProgress();
    Report report = DigestVerifier.verify(digest, store, Options.everything(), progress);
    assertThat(report.clean()).isTrue();
    assertThat(report.itemsChecked()).isEqualTo(digest.itemCount());
    assertThat(report.bytesChecked()).isEqualTo(digest.totalBytes());
    assertThat(progress.snapshot().bytesDone()).isEqualTo(digest.totalBytes());
  }

  @Test
  void everyKindOfTroubleIsReportedWithItsPlace() throws Exception {
    MemoryObjects store =
        new MemoryObjects().put("a", "aaa").put("b", "bbb").put("c", "ccc").put("d", "ddd");
    store.put("e", "eee");
    DatasetDigest digest = digest(store);
    store.damage("a", 1);
    store.put("b", "b");
    store.remove("c");
    store.forbid("d");
    Report report =
        DigestVerifier.verify(digest, store, Options.everything(), new DigestProgress());
    assertThat(report.findings())
        .extracting(Finding::item, Finding::location, Finding::problem)
        .containsExactly(
            tuple(0, "a", Problem.CHANGED),
            tuple(1, "b", Problem.MISSING),
            tuple(2, "c", Problem.MISSING),
            tuple(3, "d", Problem.UNREADABLE));
    assertThat(report.changed()).isEqualTo(1);
    assertThat(report.missing()).isEqualTo(2);
    assertThat(report.unreadable()).isEqualTo(1);
    assertThat(report.clean()).isFalse();
  }

  @Test
  void oneFlippedBitInAShardIsOneFinding() throws Exception {
    MemoryObjects store = shards();
    DatasetDigest digest = digest(store);
    int victim = 777;
    store.damage("shard-0.tar", (int) digest.offset(victim));
    Report report =
        DigestVerifier.verify(digest, store, Options.everything(), new DigestProgress());
    assertThat(report.findings()).extracting(Finding::item).containsExactly(victim);
  }

  @Test
  void findingsAreTheFirstOnesAndAllAreCounted() throws Exception {
    MemoryObjects store = shards();
    DatasetDigest digest = digest(store);
    store.remove("shard-1.tar");
    Options options = new Options(OptionalInt.empty(), 0, 4, 5);
    Report report = DigestVerifier.verify(digest, store, options, new DigestProgress());
    assertThat(report.missing()).isEqualTo(1000);
    assertThat(report.findings())
        .extracting(Finding::item)
        .containsExactly(1000, 1001, 1002, 1003, 1004);
  }

  @Test
  void sampleReadsThatManyItemsAndTheSameOnesForOneSeed() throws Exception {
    MemoryObjects store = Ingesting.randomObjects(new Random(4), 500);
    DatasetDigest digest = digest(store);
    store.contents().keySet().forEach(name -> store.damage(name, 0));
    store.allowAll();
    Report first = sample(digest, store, 42);
    assertThat(store.reads()).isEqualTo(50);
    assertThat(first.changed()).isEqualTo(50);
    assertThat(sample(digest, store, 42)).isEqualTo(first);
    assertThat(sample(digest, store, 43).findings()).isNotEqualTo(first.findings());
  }

  private static Report sample(DatasetDigest digest, MemoryObjects store, long seed)
      throws Exception {
    return DigestVerifier.verify(digest, store, Options.sample(50, seed), new DigestProgress());
  }

  private DatasetDigest digest(MemoryObjects store) throws Exception {
    return Ingesting.digest(store, folder.resolve("x.qdg"), Ingesting.options());
  }

  private static MemoryObjects shards() throws Exception {
    MemoryObjects store = new MemoryObjects();
    Random random = new Random(9);
    for (int shard = 0; shard < 2; shard++) {
      Map<String, byte[]> members = new LinkedHashMap<>();
      for (int i = 0; i < 1000; i++) {
        members.put("m" + i, Ingesting.bytes(random, 1 + random.nextInt(100)));
      }
      store.put("shard-" + shard + ".tar", TarIngestTest.archive(members, 0));
    }
    return store;
  }
}
