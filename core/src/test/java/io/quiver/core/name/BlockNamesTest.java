package io.quiver.core.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.GoldenFile;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names are those of the golden file, differ for any two blocks, and need whole texts. */
final class BlockNamesTest {
  private static final String ETAG = "\"9b2cf535f27731c974343645a3985328\"";
  private static final String TAR = "train/0001.tar";
  private static final String BUCKET = "s3://bucket";
  private static final byte[] SHORT = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
  private static final BlockNames NAMES = new BlockNames(SHORT);

  /** One row of the golden file. */
  private record Row(
      String key, String store, String object, String version, long blockBytes, long block) {
    String line() {
      BlockNames names = new BlockNames(HexFormat.of().parseHex(key));
      return "{\"key\": \"%s\", \"store\": %s, \"object\": %s, \"version\": %s, "
              .formatted(key, json(store), json(object), json(version))
          + "\"block_bytes\": %d, \"block\": %d, \"name\": \"%s\"}"
              .formatted(
                  blockBytes,
                  block,
                  names.of(store, object, version, blockBytes, block).key().toHex());
    }
  }

  @Test
  void namesAreThoseOfEveryOtherLanguage() {
    String key = HexFormat.of().formatHex(SHORT);
    String other = "0102030405060708090a0b0c0d0e0f10";
    String zeros = "\"" + "0".repeat(32) + "\"";
    String thirtyTwo =
        IntStream.range(0, 32).mapToObj("%02x"::formatted).collect(Collectors.joining());
    List<Row> rows =
        List.of(
            new Row(key, BUCKET, TAR, ETAG, 4 << 20, 0),
            new Row(key, BUCKET, TAR, ETAG, 4 << 20, 1),
            new Row(key, BUCKET, TAR, zeros, 4 << 20, 0),
            new Row(other, BUCKET, TAR, ETAG, 4 << 20, 0),
            new Row("6b".repeat(100), BUCKET, TAR, ETAG, 4 << 20, 0),
            new Row(thirtyTwo, "", "a", "1", 1, 0),
            new Row(thirtyTwo, "a", "", "1", 1, 0),
            new Row(thirtyTwo, "ab", "c", "1", 1, 0),
            new Row(thirtyTwo, "a", "bc", "1", 1, 0),
            new Row(thirtyTwo, "a", "b", "c1", 1, 0),
            new Row(
                thirtyTwo,
                "file:///data",
                "Stra\u00dfe/\u4e2d\u6587/\ud83d\udcf7.jpg",
                "1700000000-5",
                1 << 20,
                7),
            new Row(
                thirtyTwo,
                "file:///data",
                "line\nbreak \"quoted\" \\ back",
                "1700000000-5",
                Long.MAX_VALUE,
                Long.MAX_VALUE));
    String lines = rows.stream().map(Row::line).collect(Collectors.joining(",\n", "[\n", "\n]\n"));
    GoldenFile.requireText("name", "names.json", lines);
  }

  /** Returns a text as Python's json writes it. */
  private static String json(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '"', '\\' -> json.append('\\').append(each);
        case '\n' -> json.append("\\n");
        default -> json.append(each < 127 ? String.valueOf(each) : "\\u%04x".formatted((int) each));
      }
    }
    return json.append('"').toString();
  }

  @Test
  void partsThatDivideOneTextDifferentlyAreOtherNames() {
    Set<BlockName> names = new HashSet<>();
    String text = "abcdefghij";
    int made = 0;
    for (int store = 0; store < text.length(); store++) {
      for (int object = store; object < text.length(); object++) {
        for (long size = 1; size < 4; size++) {
          names.add(
              NAMES.of(
                  text.substring(0, store),
                  text.substring(store, object),
                  text.substring(object),
                  size,
                  3 - size));
          made++;
        }
      }
    }
    assertThat(names).hasSize(made);
  }

  @Test
  void oneMakerNamesAlikeOnManyThreads() {
    List<BlockName> expected =
        IntStream.range(0, 2000).mapToObj(i -> NAMES.of("s", "o", "v", 1, i)).toList();
    List<BlockName> together =
        IntStream.range(0, 2000).parallel().mapToObj(i -> NAMES.of("s", "o", "v", 1, i)).toList();
    assertThat(together).isEqualTo(expected);
    assertThat(new HashSet<>(expected)).hasSize(2000);
  }

  @Test
  void whatCannotBeNamedIsRefusedWithTheReason() {
    assertThatThrownBy(() -> new BlockNames(Arrays.copyOf(SHORT, 15)))
        .hasMessageContaining("15 bytes")
        .hasMessageContaining("at least 16");
    assertThatThrownBy(() -> NAMES.of("s", "o", "", 1, 0)).hasMessageContaining("version");
    assertThatThrownBy(() -> NAMES.of("s", "o", "v", 0, 0)).hasMessageContaining("of 0 bytes");
    assertThatThrownBy(() -> NAMES.of("s", "o", "v", 1, -1)).hasMessageContaining("block -1");
    assertThatThrownBy(() -> NAMES.of("s", "half \ud83d", "v", 1, 0)).hasMessageContaining("UTF-8");
  }

  @Test
  void theKeyIsCopied() {
    byte[] key = "sixteen letters!".getBytes(StandardCharsets.US_ASCII);
    BlockNames names = new BlockNames(key);
    BlockName before = names.of("s", "o", "v", 1, 0);
    Arrays.fill(key, (byte) 0);
    assertThat(names.of("s", "o", "v", 1, 0)).isEqualTo(before);
  }

  @Test
  void aNameShowsLittleOfItself() {
    BlockName name = NAMES.of("s", "o", "v", 1, 0);
    assertThat(name.toString()).contains(name.key().toHex().substring(0, 8)).hasSizeLessThan(20);
  }
}
