package io.quiver.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Prints the test classes that took longest in a build, from the reports that JUnit and pytest
 * leave in the modules' target folders.
 */
public final class SlowestTests {
  private static final int ROWS = 12;

  private final Map<String, Double> seconds = new HashMap<>();
  private final Map<String, Integer> tests = new HashMap<>();

  private SlowestTests() {}

  /** Prints the table of a checkout; reports older than the build's start do not count. */
  public static void main(String[] arguments) throws IOException, XMLStreamException {
    System.out.print(table(Path.of(arguments[0]), Instant.parse(arguments[1])));
  }

  /** Returns the table as text; empty if there are no reports. */
  public static String table(Path root, Instant since) throws IOException, XMLStreamException {
    SlowestTests slowest = new SlowestTests();
    for (Path report : reports(root)) {
      if (!Files.getLastModifiedTime(report).toInstant().isBefore(since)) {
        slowest.read(report);
      }
    }
    return slowest.table();
  }

  private static List<Path> reports(Path root) throws IOException {
    List<Path> reports = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.toList()) {
        Path folder = module.resolve("target/surefire-reports");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> files = Files.list(folder)) {
            files
                .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                .forEach(reports::add);
          }
        }
      }
    }
    return reports;
  }

  private void read(Path report) throws IOException, XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    try (InputStream file = Files.newInputStream(report)) {
      XMLStreamReader xml = factory.createXMLStreamReader(file);
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT
            && xml.getLocalName().equals("testcase")) {
          String name = xml.getAttributeValue(null, "classname");
          String time = xml.getAttributeValue(null, "time").replace(",", "");
          seconds.merge(name, Double.parseDouble(time), Double::sum);
          tests.merge(name, 1, Integer::sum);
        }
      }
    }
  }

  private String table() {
    if (seconds.isEmpty()) {
      return "";
    }
    double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "Slowest of %d test classes, which took %.0f s together:%n",
                seconds.size(),
                all));
    seconds.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder()))
        .limit(ROWS)
        .forEach(each ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "%8.1f s  %s (%d)%n",
                    each.getValue(),
                    each.getKey(),
                    tests.get(each.getKey()))));
    return text.toString();
  }
}
