package io.quiver.benchmarks.doors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One kind of work at one door, beside a peer that did it in the same run.
 *
 * @param door "s3" or "mount"
 * @param work the work in a few words
 * @param quiver our figure
 * @param peer the peer's figure; null where the peer is not installed
 * @param peerName the peer
 * @param unit the unit of both figures
 * @param cpuSecondsPerGb processor seconds of our process for a gigabyte
 * @param goal the ratio of both that we promise
 */
public record DoorsRow(
    String door,
    String work,
    double quiver,
    @Nullable Double peer,
    String peerName,
    String unit,
    double cpuSecondsPerGb,
    Goal goal) {
  /**
   * A promise about a ratio.
   *
   * @param ratio our figure divided by the peer's
   * @param atMost true where less is better
   */
  record Goal(double ratio, boolean atMost) {
    /** Returns the promise of a figure of which more is better. */
    static Goal atLeast(double ratio) {
      return new Goal(ratio, false);
    }

    /** Returns the promise of a figure of which less is better. */
    static Goal atMost(double ratio) {
      return new Goal(ratio, true);
    }

    boolean isMetBy(double measured) {
      return atMost ? measured <= ratio : measured >= ratio;
    }

    String sign() {
      return atMost ? "≤" : "≥";
    }
  }

  /** Returns an array of objects, indented. */
  public static String json(List<DoorsRow> rows) {
    ArrayNode array = new ObjectMapper().createArrayNode();
    for (DoorsRow row : rows) {
      ObjectNode object = array.addObject();
      object.put("door", row.door);
      object.put("work", row.work);
      object.put("quiver", row.quiver);
      object.put("peer", row.peer);
      object.put("peer_name", row.peerName);
      object.put("unit", row.unit);
      object.put("cpu_s_per_gb", row.cpuSecondsPerGb);
    }
    return array.toPrettyString();
  }

  /** Returns one line for each row. */
  public static String table(List<DoorsRow> rows) {
    StringBuilder text = new StringBuilder();
    for (DoorsRow row : rows) {
      text.append(
          String.format(
              Locale.ROOT,
              "  %-5s %-44s %10.2f %-7s %.2f s/GB",
              row.door,
              row.work,
              row.quiver,
              row.unit,
              row.cpuSecondsPerGb));
      if (row.peer != null) {
        double ratio = row.quiver / row.peer;
        text.append(
            String.format(
                Locale.ROOT,
                ", %.2f x %s (%.2f), target %s %.2f %s",
                ratio,
                row.peerName,
                row.peer,
                row.goal.sign(),
                row.goal.ratio,
                row.goal.isMetBy(ratio) ? "✓" : "✗"));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
