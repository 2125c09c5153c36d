package io.quiver.remote.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.dataset.DigestEncoder;
import io.quiver.core.dataset.DigestItem;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.ingest.DigestDiff.Change;
import io.quiver.remote.ingest.DigestDiff.Summary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class DigestDiffTest {

  @Test
  void everyKindOfChangeIsTold() {
    DatasetDigest before = digest("same", "1", "edited", "2", "gone", "3", "old name", "4");
    DatasetDigest after = digest("edited", "two", "fresh", "5", "new name", "4", "same", "1");
    List<Change> changes = new ArrayList<>();
    Summary summary = DigestDiff.compare(before, after, changes::add);
    assertThat(changes)
        .containsExactlyInAnyOrder(
            new Change.Changed(1, 0, "edited"),
            new Change.Added(1, "fresh"),
            new Change.Moved(3, 2, "old name", "new name"),
            new Change.Removed(2, "gone"));
    assertThat(summary).isEqualTo(new Summary(false, 1, 1, 1, 1, 1));
    assertThat(summary.sameContent()).isFalse();
  }

  @Test
  void sameItemsInAnotherOrderAreTheSameContentButAnotherDataSet() {
    Summary summary =
        DigestDiff.compare(digest("a", "1", "b", "2"), digest("b", "2", "a", "1"), change -> {});
    assertThat(summary.sameIdentity()).isFalse();
    assertThat(summary.sameContent()).isTrue();
    assertThat(summary.unchanged()).isEqualTo(2);
  }

  @Test
  void sameContentUnderOtherNamesIsTheSameDataSet() {
    Summary summary = DigestDiff.compare(digest("a", "1"), digest("b", "1"), change -> {});
    assertThat(summary).isEqualTo(new Summary(true, 0, 0, 0, 0, 1));
  }

  @Test
  void memberOfAnArchiveIsFoundByNameWhenItsOffsetMoved() {
    DatasetDigest before = open(new DigestEncoder().add(member(512, "m")));
    DatasetDigest after = open(new DigestEncoder().add(member(2048, "m")));
    assertThat(DigestDiff.compare(before, after, change -> {}).unchanged()).isEqualTo(1);
  }

  @RepeatedTest(20)
  void countsAgreeWithMultisets(RepetitionInfo repetition) {
    long seed = Long.getLong("quiver.test.seed", 31) + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    List<DigestItem> before = randomItems(random);
    List<DigestItem> after = new ArrayList<>(before.subList(0, before.size() / 2));
    after.addAll(randomItems(random));
    Collections.shuffle(after, random);
    Summary summary = DigestDiff.compare(digest(before), digest(after), change -> {});
    long kept = summary.unchanged() + summary.changed() + summary.moved();
    assertThat(kept + summary.removed()).as("seed %d", seed).isEqualTo(before.size());
    assertThat(kept + summary.added()).as("seed %d", seed).isEqualTo(after.size());
    assertThat(summary.unchanged() + summary.changed())
        .as("seed %d", seed)
        .isEqualTo(commonPlaces(before, after));
  }

  private static long commonPlaces(List<DigestItem> before, List<DigestItem> after) {
    Map<String, Integer> places = new HashMap<>();
    before.forEach(item -> places.merge(item.location(), 1, Integer::sum));
    long common = 0;
    for (DigestItem item : after) {
      if (places.getOrDefault(item.location(), 0) > 0) {
        places.merge(item.location(), -1, Integer::sum);
        common++;
      }
    }
    return common;
  }

  private static List<DigestItem> randomItems(Random random) {
    List<DigestItem> items = new ArrayList<>();
    for (int i = random.nextInt(400); i > 0; i--) {
      items.add(DigestItem.whole(hash("c" + random.nextInt(50)), 2, "o" + random.nextInt(200)));
    }
    return items;
  }

  private static DigestItem member(long offset, String name) {
    return new DigestItem(hash("x"), 1, "x.tar", offset, name, DigestItem.NONE, DigestItem.NONE);
  }

  private static DatasetDigest digest(String... namesAndContents) {
    List<DigestItem> items = new ArrayList<>();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      items.add(DigestItem.whole(hash(namesAndContents[i + 1]), 1, namesAndContents[i]));
    }
    return digest(items);
  }

  private static DatasetDigest digest(List<DigestItem> items) {
    DigestEncoder encoder = new DigestEncoder();
    items.forEach(encoder::add);
    return open(encoder);
  }

  private static DatasetDigest open(DigestEncoder encoder) {
    return DatasetDigest.open(encoder.encode());
  }

  private static ContentHash hash(String content) {
    return ContentHash.ofContent(content.getBytes(StandardCharsets.UTF_8));
  }
}
