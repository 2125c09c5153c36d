package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestFormatException;
import io.quiver.core.dataset.DigestHeader;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.dataset.DigestLayout;
import io.quiver.core.dataset.DigestSection;
import io.quiver.core.dataset.PlacedSection;
import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestFileTest {
  private static final int MANY = 100_000_000;

  @TempDir Path folder;

  @Test
  void mappedDigestIsReadUntilClosed() throws IOException {
    Path path = Files.write(folder.resolve("x.qdg"), small());
    DigestFile file = DigestFile.open(path);
    file.verify();
    assertThat(file.digest().objectName(0)).isEqualTo("a");
    assertThat(file.path()).isEqualTo(path);
    file.close();
    assertThatThrownBy(() -> file.digest().hash(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void complaintsNameTheFileAndTheRemedy() throws IOException {
    Path missing = folder.resolve("missing.qdg");
    assertThatThrownBy(() -> DigestFile.open(missing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("missing.qdg")
        .hasMessageContaining("quiver digest create");
    assertThatThrownBy(() -> DigestFile.open(folder)).hasMessageContaining("is not a file");
    Path empty = Files.createFile(folder.resolve("empty.qdg"));
    assertThatThrownBy(() -> DigestFile.open(empty))
        .isInstanceOf(DigestFormatException.class)
        .hasMessageContaining("empty.qdg, byte 0");
    Path cut = Files.write(folder.resolve("cut.qdg"), Arrays.copyOf(small(), 300));
    assertThatThrownBy(() -> DigestFile.open(cut))
        .isInstanceOf(DigestFormatException.class)
        .hasMessageContaining("cut.qdg, byte 300");
  }

  @Test
  void bitRotIsFoundByVerifying() throws IOException {
    byte[] bytes = small();
    bytes[bytes.length - 10] ^= 4;
    Path path = Files.write(folder.resolve("rotten.qdg"), bytes);
    try (DigestFile file = DigestFile.open(path)) {
      assertThatThrownBy(file::verify)
          .isInstanceOf(DigestFormatException.class)
          .hasMessageContaining("rotten.qdg")
          .hasMessageContaining("CRC");
    }
  }

  @Test
  void filesBeyondTwoGigabytesOpenAtOnceAndAreReadAtTheirEnd() throws IOException {
    Path path = folder.resolve("large.qdg");
    ContentHash last = ContentHash.ofContent(new byte[] {7});
    writeSparse(path, last);
    assertThat(Files.size(path)).isGreaterThan(5_000_000_000L);
    try (DigestFile file = DigestFile.open(path)) {
      assertThat(file.digest().itemCount()).isEqualTo(MANY);
      assertThat(file.digest().hash(MANY - 1)).isEqualTo(last);
      assertThat(file.digest().size(MANY - 1)).isZero();
      assertThat(file.digest().objectName(0)).isEqualTo("o");
    }
  }

  /** Writes a digest of many items that is one large hole but for its header and its last item. */
  private static void writeSparse(Path path, ContentHash last) throws IOException {
    Map<DigestSection, Long> lengths = new EnumMap<>(DigestSection.class);
    lengths.put(DigestSection.HASHES, 32L * MANY);
    lengths.put(DigestSection.SIZES, 8L * MANY);
    lengths.put(DigestSection.OBJECTS, 4L * MANY);
    lengths.put(DigestSection.OFFSETS, 8L * MANY);
    lengths.put(DigestSection.OBJECT_NAME_STARTS, 16L);
    lengths.put(DigestSection.OBJECT_NAMES, 1L);
    lengths.put(DigestSection.METADATA_STARTS, 8L);
    lengths.put(DigestSection.METADATA, 0L);
    DigestLayout layout = DigestLayout.of(lengths);
    List<PlacedSection> table = List.copyOf(layout.sections().values());
    DigestHeader header = new DigestHeader(MANY, 1, 0, 0, layout.fileLength(), last, table);
    try (FileChannel out =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      out.write(ByteBuffer.wrap(header.toBytes()), 0);
      out.write(
          ByteBuffer.wrap(last.toBytes()),
          position(layout, DigestSection.HASHES) + 32L * (MANY - 1));
      ByteBuffer one = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, 1);
      out.write(one, position(layout, DigestSection.OBJECT_NAME_STARTS) + 8);
      out.write(
          ByteBuffer.wrap(new byte[] {'o', 0, 0, 0, 0, 0, 0, 0}),
          position(layout, DigestSection.OBJECT_NAMES));
      out.write(ByteBuffer.allocate(8), position(layout, DigestSection.METADATA_STARTS));
    }
  }

  private static long position(DigestLayout layout, DigestSection section) {
    return Objects.requireNonNull(layout.sections().get(section)).position();
  }

  private static byte[] small() {
    return new DigestEncoder()
        .add(DigestItem.whole(ContentHash.ofContent(new byte[] {1}), 1, "a"))
        .metadata("source", "somewhere")
        .encode();
  }
}
