package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.ListedPage;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A listing that is put together from pages is the directory as the pages showed it last. */
final class NameListTest {
  private static ListedPage page(SortedMap<String, Long> entries, int from, int to) {
    List<Map.Entry<String, Long>> shown = new ArrayList<>(entries.entrySet()).subList(from, to);
    return new ListedPage(
        shown.stream().map(Map.Entry::getKey).toList(),
        shown.stream().mapToLong(Map.Entry::getValue).toArray(),
        from == 0,
        to == entries.size());
  }

  private static void list(NameList list, SortedMap<String, Long> entries, int pageSize) {
    for (int from = 0; from == 0 || from < entries.size(); from += pageSize) {
      list.take(page(entries, from, Math.min(entries.size(), from + pageSize)));
    }
  }

  private static String name(Random random) {
    String[] starts = {"", "a", "image_", "ä", "文", "\uD83D\uDE00", "z"};
    return starts[random.nextInt(starts.length)] + random.nextInt(10_000);
  }

  private static void assertShows(NameList list, SortedMap<String, Long> entries) {
    assertThat(list.isComplete()).isTrue();
    assertThat(list.size()).isEqualTo(entries.size());
    int place = 0;
    long bytes = 0;
    for (Map.Entry<String, Long> entry : entries.entrySet()) {
      String name = entry.getKey();
      assertThat(list.name(place)).isEqualTo(name);
      assertThat(list.find("x/" + name + "/y", 2, 2 + name.length())).isEqualTo(place);
      assertThat(list.isDirectory(place)).isEqualTo(entry.getValue() < 0);
      assertThat(list.bytes(place))
          .isBetween(entry.getValue() - 4096, Math.max(0, entry.getValue()));
      bytes += list.bytes(place);
      place++;
    }
    assertThat(list.fileBytes()).isEqualTo(bytes);
    assertThat(list.directories())
        .isEqualTo((int) entries.values().stream().filter(each -> each < 0).count());
  }

  @Test
  void followsADirectoryThatIsListedAgainAndAgain() {
    SeededRuns.run(
        15,
        random -> {
          NameList list = new NameList();
          TreeMap<String, Long> entries = new TreeMap<>();
          for (int turn = 0; turn < 6; turn++) {
            boolean removes = random.nextBoolean();
            for (int change = random.nextInt(2000); change > 0; change--) {
              switch (random.nextInt(removes ? 3 : 2)) {
                case 2 -> entries.pollFirstEntry();
                case 1 -> entries.put(name(random), -1L);
                default -> entries.put(name(random), random.nextLong(1L << 42));
              }
            }
            // Names that are gone from between two pages are not missed.
            list(list, entries, removes ? entries.size() + 1 : 1 + random.nextInt(1500));
            assertShows(list, entries);
          }
        });
  }

  @Test
  void aNameThatIsGoneStaysUntilOnePageSpansIt() {
    NameList list = new NameList();
    list.take(new ListedPage(List.of("a", "b", "c"), new long[3], true, true));
    list.take(new ListedPage(List.of("a"), new long[1], true, false));
    list.take(new ListedPage(List.of("c"), new long[1], false, true));
    assertThat(list.size()).isEqualTo(3);
    list.take(new ListedPage(List.of("a", "c"), new long[2], true, true));
    assertThat(list.size()).isEqualTo(2);
  }

  @Test
  void tellsWhereAMissingNameWouldBe() {
    NameList list = new NameList();
    list.take(new ListedPage(List.of("b", "d", "f"), new long[3], true, true));
    assertThat(list.find("a", 0, 1)).isEqualTo(-1);
    assertThat(list.find("c", 0, 1)).isEqualTo(-2);
    assertThat(list.find("g", 0, 1)).isEqualTo(-4);
    assertThat(list.find("", 0, 0)).isEqualTo(-1);
  }

  @Test
  void isNotCompleteBeforeItsLastPage() {
    NameList list = new NameList();
    list.take(new ListedPage(List.of("a"), new long[1], true, false));
    assertThat(list.isComplete()).isFalse();
    list.take(new ListedPage(List.of("b"), new long[1], false, true));
    assertThat(list.isComplete()).isTrue();
    list.take(new ListedPage(List.of("a"), new long[1], true, false));
    assertThat(list.isComplete()).as("listed again").isTrue();
  }

  @Test
  void isNotCompleteWithoutItsFirstPage() {
    NameList list = new NameList();
    list.take(new ListedPage(List.of("b"), new long[1], false, true));
    assertThat(list.isComplete()).isFalse();
  }

  @Test
  void sortsAPageThatIsNotSorted() {
    NameList list = new NameList();
    list.take(new ListedPage(List.of("b", "a", "b", "c"), new long[] {1, 2, 3, 4}, true, true));
    assertThat(list.size()).isEqualTo(3);
    assertThat(list.name(0)).isEqualTo("a");
    assertThat(list.bytes(0)).isEqualTo(2);
  }

  @Test
  void keepsAnEmptyDirectory() {
    NameList list = new NameList();
    list.take(new ListedPage(List.of(), new long[0], true, true));
    assertThat(list.isComplete()).isTrue();
    assertThat(list.size()).isZero();
  }

  @Test
  void keepsTheBeginningThatNamesShareOnce() {
    NameList list = new NameList();
    List<String> names = TestDoor.names("ILSVRC2012_validation_%08d.JPEG", 50_000);
    for (int from = 0; from < names.size(); from += 1000) {
      list.take(
          new ListedPage(
              names.subList(from, from + 1000),
              new long[1000],
              from == 0,
              from + 1000 == names.size()));
    }
    assertThat(list.heldBytes() / names.size()).isLessThan(20);
    assertThat(list.find(names.get(31_415), 0, names.get(31_415).length())).isEqualTo(31_415);
  }

  @Test
  void aListingThatWasForgottenIsNotCompleteAnyMore() {
    Listings listings = new Listings(100_000);
    NameList first =
        Objects.requireNonNull(
            listings.learn("a", new ListedPage(List.of("x"), new long[1], true, true)));
    List<String> names = TestDoor.names("%06d" + "n".repeat(30), 1500);
    for (int directory = 0; directory < 5; directory++) {
      listings.learn("b" + directory, new ListedPage(names, new long[1500], true, true));
      assertThat(listings.heldBytes()).isLessThanOrEqualTo(100_000);
    }
    assertThat(first.isComplete()).isFalse();
    assertThat(listings.of("a")).isNull();
    assertThat(listings.of("b4")).isNotNull();
  }

  @Test
  void aDirectoryThatIsTooLargeIsNotKept() {
    Listings listings = new Listings(10_000);
    List<String> names = TestDoor.names("%06d" + "n".repeat(30), 1500);
    assertThat(listings.learn("a", new ListedPage(names, new long[1500], true, true))).isNull();
    assertThat(listings.heldBytes()).isZero();
  }

  @Test
  void aPageFromTheMiddleOfAnUnknownDirectoryTellsNothing() {
    Listings listings = new Listings(10_000);
    assertThat(listings.learn("a", new ListedPage(List.of("x"), new long[1], false, true)))
        .isNull();
  }
}
