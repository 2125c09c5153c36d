package io.quiver.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.hash.ContentHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The vectors that an independent implementation of the written definition made. */
final class PlacementVectorsTest {
  @ParameterizedTest
  @MethodSource("draws")
  void drawsAndCostsAgree(List<String> row) {
    long draw = HexFormat.fromHexDigitsToLong(row.get(3));
    if (!row.get(0).equals("-")) {
      long seed = Weighing.seed(row.get(0));
      assertThat(seed).isEqualTo(HexFormat.fromHexDigitsToLong(row.get(2)));
      assertThat(Weighing.draw(seed, Integer.parseInt(row.get(1)))).isEqualTo(draw);
    }
    assertThat(Weighing.cost(draw)).isEqualTo(Long.parseLong(row.get(4)));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void tablesAgree(List<String> row) {
    List<Member> members = new ArrayList<>();
    for (String member : row.get(1).split(",", -1)) {
      int equals = member.lastIndexOf('=');
      members.add(
          new Member(member.substring(0, equals), Integer.parseInt(member.substring(equals + 1))));
    }
    SlotTable table = SlotTable.of(members);
    ByteBuffer owners = ByteBuffer.allocate(2 * SlotTable.SLOTS).order(ByteOrder.LITTLE_ENDIAN);
    for (int slot = 0; slot < SlotTable.SLOTS; slot++) {
      owners.putShort(slot * 2, (short) table.owner(slot));
    }
    assertThat(table.shares()).isEqualTo(numbers(row.get(3)));
    int[] first = numbers(row.get(4));
    for (int slot = 0; slot < first.length; slot++) {
      assertThat(table.owner(slot)).isEqualTo(first[slot]);
    }
    assertThat(ContentHash.ofContent(owners).toHex()).isEqualTo(row.get(2));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void costsNeverRiseWithTheDraw(List<String> row) {
    long seed = Weighing.seed(row.get(0));
    for (int slot = 0; slot < 1000; slot++) {
      long draw = Weighing.draw(seed, slot);
      long next = draw + 1 + (Weighing.draw(~seed, slot) >>> (slot % 64));
      if (Long.compareUnsigned(draw, next) < 0) {
        assertThat(Weighing.cost(next)).isLessThanOrEqualTo(Weighing.cost(draw)).isPositive();
      }
    }
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",", -1)).mapToInt(Integer::parseInt).toArray();
  }

  static Stream<List<String>> draws() throws IOException {
    return rows("draws.tsv");
  }

  static Stream<List<String>> tables() throws IOException {
    return rows("tables.tsv");
  }

  private static Stream<List<String>> rows(String file) throws IOException {
    Path path = Path.of(System.getProperty("quiver.test.vectors"), "placement", file);
    return Files.readAllLines(path).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> List.of(line.split("\t", -1)));
  }
}
