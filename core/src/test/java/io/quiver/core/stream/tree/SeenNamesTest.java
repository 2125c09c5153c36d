package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Names of a directory that nobody has listed have numbers, and ranks among those seen. */
final class SeenNamesTest {
  private final SeenNames names = new SeenNames();

  private static int number(SeenNames names, String name) {
    String path = "above/" + name + "/below";
    int to = 6 + name.length();
    return names.number(path, 6, to, PathNames.hash(path, 6, to));
  }

  @Test
  void ranksAllNamesAsTheyAreSorted() {
    SeededRuns.run(
        20,
        random -> {
          SeenNames seen = new SeenNames();
          Map<String, Integer> numbers = new LinkedHashMap<>();
          for (int turn = 0; turn < 10; turn++) {
            boolean ascending = random.nextBoolean();
            for (int i = random.nextInt(200); i > 0; i--) {
              String name =
                  ascending ? "z" + (100_000 * turn + 1000 - i) : "n" + random.nextInt(5000);
              int number = number(seen, name);
              Integer before = numbers.put(name, number);
              assertThat(before == null || before == number).as(name).isTrue();
            }
            seen.rank();
            List<String> sorted = new ArrayList<>(numbers.keySet());
            sorted.sort(null);
            for (int rank = 0; rank < sorted.size(); rank++) {
              int number = Objects.requireNonNull(numbers.get(sorted.get(rank)));
              assertThat(seen.rank(number)).isEqualTo(rank);
              assertThat(seen.name(number)).isEqualTo(sorted.get(rank));
            }
          }
        });
  }

  @Test
  void forgetsTheNamesThatWereSeenFirstWhenThereAreTooMany() {
    for (int name = 0; name < 100_000; name++) {
      assertThat(number(names, "file" + name)).isEqualTo(name);
      assertThat(names.size()).isLessThanOrEqualTo(8192);
    }
    assertThat(names.name(99_999)).isEqualTo("file99999");
    assertThat(names.name(99_999 - 4000)).isEqualTo("file95999");
    assertThat(names.name(5)).isEmpty();
    assertThat(number(names, "file5")).isEqualTo(100_000);
    assertThat(names.heldBytes()).isLessThan(1 << 20);
  }

  @Test
  void keepsNamesOfAnyCharacters() {
    List<String> odd = List.of("ä", "文件", "\uD83D\uDE00", "a", "", "aä", "ä ", "\u0000");
    List<Integer> numbers = odd.stream().map(name -> number(names, name)).toList();
    assertThat(numbers).doesNotHaveDuplicates();
    for (int i = 0; i < odd.size(); i++) {
      assertThat(number(names, odd.get(i))).isEqualTo(numbers.get(i));
      assertThat(names.name(numbers.get(i))).isEqualTo(odd.get(i));
    }
  }

  @Test
  void learnsTheNumbersInNames() {
    for (int name = 10; name < 300; name += 7) {
      number(names, String.format("shard-%05d-of-00300.tar", name));
    }
    assertThat(names.numbered().areDense(names.size())).isFalse();
    for (int name = 10; name < 300; name += 2) {
      number(names, String.format("shard-%05d-of-00300.tar", name));
    }
    assertThat(names.numbered().areDense(names.size())).isTrue();
    assertThat(names.inName(number(names, "shard-00017-of-00300.tar"))).isEqualTo(17);
    assertThat(names.numbered().name(299)).isEqualTo("shard-00299-of-00300.tar");
    assertThat(names.numbered().least()).isEqualTo(10);
  }

  @Test
  void takesNamesThatDifferInMoreThanOneNumberForNoIndex() {
    number(names, "a1-b1");
    number(names, "a1-b2");
    number(names, "a2-b1");
    assertThat(names.numbered().areDense(names.size())).isFalse();
  }

  @Test
  void takesHugeNumbersForNoIndex() {
    number(names, "12345678901234567890");
    number(names, "12345678901234567891");
    number(names, "12345678901234567892");
    assertThat(names.numbered().areDense(names.size())).isFalse();
  }

  @Test
  void namesFollowTheWidthOfTheirNumbers() {
    number(names, "f8");
    number(names, "f9");
    number(names, "f10");
    assertThat(names.numbered().areDense(names.size())).as("not padded").isFalse();
    SeenNames padded = new SeenNames();
    number(padded, "f08");
    number(padded, "f09");
    number(padded, "f10");
    assertThat(padded.numbered().name(11)).isEqualTo("f11");
    assertThat(padded.numbered().name(100)).isEmpty();
  }
}
