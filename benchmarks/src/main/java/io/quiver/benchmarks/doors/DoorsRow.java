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
 * @param quiver our figure; more is better
 * @param peer the peer's figure; null where the peer is not installed
 * @param peerName the peer
 * @param unit the unit of both figures
 * @param cpuSecondsPerGb processor seconds of our process for a gigabyte
 * @param target the least ratio of both that we promise
 */
public record DoorsRow(
    String door,
    String work,
    double quiver,
    @Nullable Double peer,
    String peerName,
    String unit,
    double cpuSecondsPerGb,
    double target) {

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
                ", %.2f x %s (%.2f), target ≥ %.2f %s",
                ratio,
                row.peerName,
                row.peer,
                row.target,
                ratio >= row.target ? "✓" : "✗"));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
