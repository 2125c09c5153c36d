package io.quiver.client.loader;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quiver.core.hash.ContentHash;
import io.quiver.core.importance.ImportanceDraw;
import io.quiver.core.importance.ItemScores;
import io.quiver.core.importance.RankScore;
import io.quiver.core.importance.RepeatLayout;
import io.quiver.core.order.ItemList;
import io.quiver.core.order.SeededRandom;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds Java's scores and lists to those that the Python package has recorded. */
class GoldenImportanceTest {
  static Stream<JsonNode> cases() throws IOException {
    Path file = Path.of("../test-vectors/importance/importance.json");
    JsonNode cases = new ObjectMapper().readTree(Files.readString(file));
    return StreamSupport.stream(cases.spliterator(), false);
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
    }
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
