package io.quiver.benchmarks.section;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** Findings as a table for people and as JSON for scripts. */
public final class MeasurementReport {
  private MeasurementReport() {}

  /** Returns one line for each finding. */
  public static String table(List<Measurement> findings) {
    StringBuilder text = new StringBuilder();
    for (Measurement finding : findings) {
      text.append(line(finding));
    }
    return text.toString();
  }

  private static String line(Measurement finding) {
    StringBuilder line = new StringBuilder();
    Boolean passed = finding.passed();
    line.append(passed == null ? "         " : passed ? "  ✓ pass " : "  ✗ miss ");
    line.append(
        String.format(
            Locale.ROOT, "%-44s %10.2f %s", finding.name(), finding.value(), finding.unit()));
    if (finding.besideValue() != null) {
      line.append(
          String.format(
              Locale.ROOT,
              ", %.2f x %s (%.2f)",
              finding.judged(),
              finding.beside(),
              finding.besideValue()));
    }
    if (finding.target() != null) {
      line.append(
          String.format(
              Locale.ROOT, ", target %s %.2f", finding.atLeast() ? "≥" : "≤", finding.target()));
    }
    return line.append(System.lineSeparator()).toString();
  }

  /** Returns an array of objects, indented. */
  public static String json(List<Measurement> findings) {
    ArrayNode array = new ObjectMapper().createArrayNode();
    for (Measurement finding : findings) {
      ObjectNode object = array.addObject();
      object.put("name", finding.name());
      object.put("value", finding.value());
      object.put("unit", finding.unit());
      object.put("beside", finding.beside());
      object.put("beside_value", finding.besideValue());
      object.put("judged", finding.judged());
      object.put("target", finding.target());
      object.put("at_least", finding.atLeast());
      object.put("passed", finding.passed());
    }
    return array.toPrettyString();
  }
}
