package io.quiver.core.plan.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.plan.allocate.DatasetKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that name a group on a data set hear of its columns; nobody else does. */
final class ScoreGroupsTest {
  private static final DatasetKey ONE = new DatasetKey("00000000000000aa");
  private static final DatasetKey OTHER = new DatasetKey("00000000000000bb");

  private static JobReport job(String name, DatasetKey dataset, ScoreOffer... offers) {
    return JobReport.of(name, "instance", dataset, 100, 1_000, 4).scores(List.of(offers)).build();
  }

  private static ScoreOffer offer(String group, String member, int round, boolean listens) {
    return new ScoreOffer(group, member, round, hash(member), listens);
  }

  private static ContentHash hash(String text) {
    return ContentHash.ofContent(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  private static ScoreOffer silent(String group) {
    return new ScoreOffer(group, "silent", 0, null, true);
  }

  @Test
  void membersHearOfEachOtherAndOfNobodyElse() {
    JobReport a = job("a", ONE, offer("mine", "a", 3, true));
    JobReport b = job("b", ONE, offer("mine", "b", 5, true));
    JobReport elsewhere = job("c", OTHER, offer("mine", "c", 1, true));
    JobReport otherGroup = job("d", ONE, offer("other", "d", 1, true));
    JobReport none = job("e", ONE);
    JobReport fresh = job("f", ONE, silent("mine"));
    ScoreGroups groups = ScoreGroups.of(List.of(a, b, elsewhere, otherGroup, none, fresh));
    assertThat(groups.columnsFor(a)).containsExactly(offer("mine", "b", 5, true));
    assertThat(groups.columnsFor(fresh))
        .containsExactly(offer("mine", "b", 5, true), offer("mine", "a", 3, true));
    assertThat(groups.columnsFor(elsewhere)).isEmpty();
    assertThat(groups.columnsFor(otherGroup)).isEmpty();
    assertThat(groups.columnsFor(none)).isEmpty();
  }

  @Test
  void whoOnlyTellsHearsNothing() {
    JobReport teller = job("a", ONE, offer("mine", "a", 1, false));
    JobReport listener = job("b", ONE, silent("mine"));
    ScoreGroups groups = ScoreGroups.of(List.of(teller, listener));
    assertThat(groups.columnsFor(teller)).isEmpty();
    assertThat(groups.columnsFor(listener)).hasSize(1);
  }

  @Test
  void anAnswerIsBounded() {
    List<JobReport> jobs = new ArrayList<>();
    for (int i = 0; i < 2 * ScoreBoard.MAX_COLUMNS; i++) {
      jobs.add(job("job-" + i, ONE, offer("mine", "job-" + i, i, true)));
    }
    List<ScoreOffer> heard = ScoreGroups.of(jobs).columnsFor(jobs.getFirst());
    assertThat(heard).hasSize(ScoreBoard.MAX_COLUMNS);
    assertThat(heard.getFirst().round()).isEqualTo(2 * ScoreBoard.MAX_COLUMNS - 1);
  }

  @Test
  void aReportForEverybodyToSeeHasNoHash() {
    JobReport shown = job("a", ONE, offer("mine", "a", 3, true)).withoutSecret();
    assertThat(shown.scores()).containsExactly(new ScoreOffer("mine", "a", 3, null, true));
  }

  @Test
  void namesThatAreNoneAreRefused() {
    for (String group : List.of("", "with space", "a/b", "@", "é", "x".repeat(122))) {
      assertThatThrownBy(() -> offer(group, "a", 0, true)).hasMessageContaining("group in scores");
    }
    assertThatThrownBy(() -> offer("g", "", 0, true)).hasMessageContaining("member in scores");
    assertThatThrownBy(() -> offer("g", "a", -1, true)).hasMessageContaining("round in scores");
  }
}
