package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.importance.GroupScores;
import io.quiver.core.importance.ImportanceDraw;
import io.quiver.core.importance.ImportanceEpoch;
import io.quiver.core.importance.ImportanceLists;
import io.quiver.core.importance.ImportanceMode;
import io.quiver.core.importance.ItemScores;
import io.quiver.core.importance.RankScore;
import io.quiver.core.importance.RepeatLayout;
import io.quiver.core.importance.Repetition;
import io.quiver.core.importance.ScoreColumn;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds Java's scores and lists to those that the Python package has recorded. */
class GoldenImportanceTest {
  static Stream<JsonNode> cases() throws IOException {
    return read("importance.json");
  }

  static Stream<JsonNode> jobs() throws IOException {
    return read("lists.json");
  }

  private static Stream<JsonNode> read(String name) throws IOException {
    Path file = Path.of("../test-vectors/importance", name);
    JsonNode cases = new ObjectMapper().readTree(Files.readString(file));
    return StreamSupport.stream(cases.spliterator(), false);
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void jobsReadTheSameListsWithTheSamePriorities(JsonNode recorded) {
    int items = recorded.path("items").asInt();
    int step = recorded.path("step").asInt();
    ImportanceMode mode =
        ImportanceMode.valueOf(
            recorded.path("mode").asText().replace('-', '_').toUpperCase(Locale.ROOT));
    ImportanceLists lists =
        ImportanceLists.begin(
            ImportanceLists.Setup.of(items, step, recorded.path("seed").asLong(), mode)
                .withPool(recorded.path("pool").asDouble()));
    int epochs = recorded.path("epochs").size();
    for (int epoch = 0; epoch < epochs; epoch++) {
      if (epoch == epochs - 2) {
        lists.returnToUniform();
      }
      ImportanceEpoch now = lists.begin(epoch);
      requireEqual(lists, now, items, recorded.path("epochs").path(epoch));
      int[] list = now.list().entries();
      for (int first = 0; first < items; first += step) {
        int[] some = Arrays.copyOfRange(list, first, Math.min(items, first + step));
        long shift = 104_729L * epoch;
        lists
            .scores()
            .report(
                some, Arrays.stream(some).mapToDouble(i -> (7919L * i + shift) % 1009).toArray());
      }
    }
  }

  private static void requireEqual(
      ImportanceLists lists, ImportanceEpoch now, int items, JsonNode expected) {
    assertThat(digest(now.list())).isEqualTo(expected.path("list").asText());
    assertThat(digest(lists.following())).isEqualTo(expected.path("following").asText());
    int apart = Math.max(1, items / 50);
    for (int place = 0; place < items; place += apart) {
      assertThat(now.priority(place))
          .isEqualTo(expected.path("priorities").path(place / apart).asLong());
      assertThat(now.weight(place))
          .isCloseTo(expected.path("weights").path(place / apart).asDouble(), within(1e-9));
    }
    double[] unread = lists.unread();
    for (int held = 0; held < unread.length; held++) {
      assertThat(unread[held])
          .as("with %d sixteenths", held)
          .isCloseTo(expected.path("unread").path(held).asDouble(), within(1e-9));
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theSameReportsGiveTheSameLists(JsonNode recorded) {
    ItemScores scores = new ItemScores(recorded.path("items").asInt());
    for (JsonNode report : recorded.path("reports")) {
      double[] losses =
          StreamSupport.stream(report.path("losses").spliterator(), false)
              .mapToDouble(GoldenImportanceTest::loss)
              .toArray();
      assertThat(RankScore.of(losses)).isEqualTo(numbers(report.path("scores")));
      scores.report(numbers(report.path("items")), losses);
    }
    long seed = recorded.path("seed").asLong();
    double floor = recorded.path("floor").asDouble();
    Repetition repetition = new Repetition(scores, recorded.path("pool").asDouble(), seed);
    for (JsonNode expected : recorded.path("epochs")) {
      int epoch = expected.path("epoch").asInt();
      ItemList drawn = ImportanceDraw.draw(scores, floor, seed, epoch);
      assertThat(Arrays.copyOf(drawn.entries(), numbers(expected.at("/first/0")).length))
          .isEqualTo(numbers(expected.at("/first/0")));
      assertThat(digest(drawn)).isEqualTo(expected.path("drawn").asText());
      assertThat(drawn.distinct()).isEqualTo(expected.path("distinct").asInt());
      ItemList laid =
          RepeatLayout.of(drawn, recorded.path("batch").asInt(), SeededRandom.derive(~seed, epoch));
      assertThat(digest(laid)).isEqualTo(expected.path("laid_out").asText());
      assertThat(digest(repetition.draw(epoch))).isEqualTo(expected.path("repeated").asText());
    }
  }

  static Stream<JsonNode> groups() throws IOException {
    return read("groups.json");
  }

  private static void report(JsonNode reports, BiConsumer<int[], double[]> to) {
    for (JsonNode each : reports) {
      double[] losses =
          StreamSupport.stream(each.path("losses").spliterator(), false)
              .mapToDouble(GoldenImportanceTest::loss)
              .toArray();
      to.accept(numbers(each.path("items")), losses);
    }
  }

  /** Returns what a job tells the others after these reports. */
  private static ScoreColumn told(JsonNode reports, int items, int round) {
    GroupScores group = new GroupScores(items);
    ItemScores scores = new ItemScores(items);
    report(reports, group::report);
    report(reports, scores::report);
    return group.merge(scores, round).orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("groups")
  void jobsOfAGroupTellTheSameColumnsAndMergeThemAlike(JsonNode recorded) {
    int items = recorded.path("items").asInt();
    int round = recorded.path("round").asInt();
    JsonNode jobs = recorded.path("jobs");
    ItemScores scores = new ItemScores(items);
    GroupScores group = new GroupScores(items);
    report(jobs.path(0), scores::report);
    report(jobs.path(0), group::report);
    for (int job = 1; job < jobs.size(); job++) {
      group.hear(told(jobs.path(job), items, round));
    }
    ScoreColumn own = group.merge(scores, round).orElseThrow();
    assertThat(scores.toArray()).isEqualTo(numbers(recorded.path("merged")));
    long dataset = Long.parseUnsignedLong(recorded.path("dataset").asText(), 16);
    ByteBuffer column = own.encode(dataset, recorded.path("salt").asInt());
    assertThat(ContentHash.ofContent(column).toHex()).isEqualTo(recorded.path("column").asText());
  }

  @Test
  void thePublishedColumnIsRead() throws IOException {
    JsonNode recorded = groups().findFirst().orElseThrow();
    int items = recorded.path("items").asInt();
    byte[] bytes = Files.readAllBytes(Path.of("../test-vectors/importance/column.bin"));
    long dataset = Long.parseUnsignedLong(recorded.path("dataset").asText(), 16);
    ScoreColumn column = ScoreColumn.decode(ByteBuffer.wrap(bytes), dataset, items);
    assertThat(column.scores()).isEqualTo(told(recorded.path("jobs").path(0), items, 3).scores());
  }

  private static double loss(JsonNode written) {
    return written.isNull()
        ? Double.NaN
        : written.isNumber()
            ? written.asDouble()
            : written.asText().startsWith("-")
                ? Double.NEGATIVE_INFINITY
                : Double.POSITIVE_INFINITY;
  }

  private static int[] numbers(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).mapToInt(JsonNode::asInt).toArray();
  }

  private static String digest(ItemList list) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * list.size()).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(list.entries()).forEach(bytes::putInt);
    return ContentHash.ofContent(bytes.flip()).toHex();
  }
}
