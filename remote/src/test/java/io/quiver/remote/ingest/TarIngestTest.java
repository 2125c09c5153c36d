package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.ingest.IngestOptions.EmptyItems;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarIngestTest {
  @TempDir Path folder;

  @Test
  void membersAreItemsWhoseBytesLieAtTheirOffsets() throws Exception {
    for (int mode :
        new int[] {TarArchiveOutputStream.LONGFILE_POSIX, TarArchiveOutputStream.LONGFILE_GNU}) {
      Map<String, byte[]> members = randomMembers(new Random(mode));
      byte[] archive = archive(members, mode);
      MemoryObjects store = new MemoryObjects().put("shard.tar", archive);
      DatasetDigest digest = Ingesting.digest(store, output(), Ingesting.options());
      assertThat(digest.itemCount()).isEqualTo(members.size());
      assertThat(IntStream.range(0, digest.itemCount()).mapToObj(digest::itemName))
          .containsExactlyElementsOf(members.keySet());
      for (int i = 0; i < digest.itemCount(); i++) {
        DigestItem item = digest.item(i);
        int from = (int) item.offset();
        byte[] there = Arrays.copyOfRange(archive, from, from + (int) item.size());
        assertThat(there).isEqualTo(members.get(item.name()));
        assertThat(ContentHash.ofContent(there)).isEqualTo(item.hash());
      }
    }
  }

  @Test
  void foldersAndLinksArePassedOver() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
      tar.putArchiveEntry(new TarArchiveEntry("folder/"));
      tar.closeArchiveEntry();
      add(tar, "folder/item", "bytes".getBytes(StandardCharsets.UTF_8));
      for (byte kind : new byte[] {TarConstants.LF_SYMLINK, TarConstants.LF_LINK}) {
        TarArchiveEntry link = new TarArchiveEntry("link" + kind, kind);
        link.setLinkName("folder/item");
        tar.putArchiveEntry(link);
        tar.closeArchiveEntry();
      }
      add(tar, "last", "more".getBytes(StandardCharsets.UTF_8));
    }
    MemoryObjects store = new MemoryObjects().put("x.tar", bytes.toByteArray());
    DatasetDigest digest = Ingesting.digest(store, output(), Ingesting.options());
    assertThat(IntStream.range(0, digest.itemCount()).mapToObj(digest::itemName))
        .containsExactly("folder/item", "last");
    assertThat(digest.hasLabels()).isFalse();
  }

  @Test
  void archivesCutAnywhereAreRefused() throws Exception {
    byte[] archive = archive(Map.of("a", new byte[700], "b", new byte[10]), 0);
    int dataEnd = 512 + 1024 + 512 + 512;
    for (int length = 0; length <= dataEnd; length += 37) {
      refused(Arrays.copyOf(archive, length), "x.tar");
    }
    for (int length = 0; length <= dataEnd; length += 512) {
      refused(Arrays.copyOf(archive, length), "x.tar");
    }
  }

  @Test
  void damagedHeaderIsRefused() throws Exception {
    byte[] archive = archive(Map.of("a", new byte[10]), 0);
    for (int at = 0; at < 500; at += 7) {
      byte[] damaged = archive.clone();
      damaged[at] ^= 0x11;
      refused(damaged, "x.tar");
    }
  }

  @Test
  void sparseMemberIsRefused() throws Exception {
    byte[] archive = archive(Map.of("holes", new byte[10]), 0);
    archive[156] = TarConstants.LF_GNUTYPE_SPARSE;
    mendChecksum(archive);
    refused(archive, "sparse");
  }

  @Test
  void compressedArchiveIsRefusedByNameAndByContent() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(archive(Map.of("a", new byte[10]), 0));
    }
    refused(bytes.toByteArray(), "compressed (gzip)");
    MemoryObjects store = new MemoryObjects().put("x.tar.gz", bytes.toByteArray());
    assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("'x.tar.gz' is a compressed archive");
  }

  @Test
  void memberOverTheLimitIsRefusedByName() throws Exception {
    MemoryObjects store = new MemoryObjects().put("x.tar", archive(Map.of("m", new byte[99]), 0));
    assertThatThrownBy(() ->
            Ingesting.build(
                store, output(), Ingesting.options().withRules(98, EmptyItems.REFUSE, false)))
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("'x.tar!m' has 99 bytes");
  }

  @Test
  void brokenShardLeavesNothingBehindWhenUnreadableOnesAreSkipped() throws Exception {
    Map<String, byte[]> many = new LinkedHashMap<>();
    for (int i = 0; i < 10_000; i++) {
      many.put("member-" + i, new byte[] {(byte) i, (byte) (i >> 8)});
    }
    byte[] archive = archive(many, 0);
    MemoryObjects store =
        new MemoryObjects()
            .put("1.tar", archive(Map.of("a", new byte[3]), 0))
            .put("2.tar", Arrays.copyOf(archive, archive.length - 20_000))
            .put("3.tar", archive(Map.of("b", new byte[4]), 0));
    IngestOptions options = Ingesting.options().withRules(1 << 20, EmptyItems.REFUSE, true);
    DatasetDigest digest = Ingesting.digest(store, output(), options);
    assertThat(digest.itemCount()).isEqualTo(2);
    assertThat(digest.objectCount()).isEqualTo(2);
    assertThat(digest.item(1).location()).isEqualTo("3.tar!b");
  }

  @Test
  void shardsWithMoreMembersThanTheBudgetHoldsAreTakenInOrder() throws Exception {
    MemoryObjects store = new MemoryObjects();
    for (int shard = 0; shard < 4; shard++) {
      Map<String, byte[]> members = new LinkedHashMap<>();
      for (int i = 0; i < 5000; i++) {
        members.put("%d-%05d.txt".formatted(shard, i), new byte[] {(byte) i, (byte) shard});
      }
      store.put("shard-" + shard + ".tar", archive(members, 0));
    }
    DatasetDigest digest = Ingesting.digest(store, output(), Ingesting.options());
    assertThat(digest.itemCount()).isEqualTo(20_000);
    assertThat(IntStream.range(0, 20_000).mapToObj(digest::itemName)).isSorted();
  }

  private void refused(byte[] archive, String words) {
    MemoryObjects store = new MemoryObjects().put("x.tar", archive);
    assertThatThrownBy(() -> Ingesting.build(store, output(), Ingesting.options()))
        .as("%d bytes", archive.length)
        .isInstanceOf(IngestException.class)
        .hasMessageContaining("x.tar")
        .hasMessageContaining(words);
    assertThat(output()).doesNotExist();
  }

  private static Map<String, byte[]> randomMembers(Random random) {
    Map<String, byte[]> members = new LinkedHashMap<>();
    for (int i = 0; i < 60; i++) {
      String name = "%03d/%s größe.jpg".formatted(i, "long".repeat(random.nextInt(80)));
      int size = i % 20 == 0 ? 400_000 : 1 + random.nextInt(2000);
      members.put(name, Ingesting.bytes(random, size));
    }
    return members;
  }

  static byte[] archive(Map<String, byte[]> members, int longNames) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes, "UTF-8")) {
      tar.setLongFileMode(longNames);
      tar.setAddPaxHeadersForNonAsciiNames(longNames == TarArchiveOutputStream.LONGFILE_POSIX);
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        add(tar, member.getKey(), member.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static void add(TarArchiveOutputStream tar, String name, byte[] content)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  private static void mendChecksum(byte[] header) {
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (int i = 0; i < 512; i++) {
      sum += header[i] & 0xFF;
    }
    byte[] octal = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(octal, 0, header, 148, 8);
  }

  private Path output() {
    return folder.resolve("x.qdg");
  }
}
