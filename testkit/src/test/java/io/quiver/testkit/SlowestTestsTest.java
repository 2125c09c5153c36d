package io.quiver.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowestTestsTest {
  private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

  @TempDir private Path root;

  @Test
  void addsUpAClassAndPutsTheSlowestFirst() throws Exception {
    report("one", "a.FastTest", START, 0.5, 0.25);
    report("two", "b.SlowTest", START.plusSeconds(9), 1_234.5);
    assertThat(SlowestTests.table(root, START))
        .isEqualToNormalizingNewlines(
            """
            Slowest of 2 test classes, which took 1235 s together:
              1234.5 s  b.SlowTest (1)
                 0.8 s  a.FastTest (2)
            """);
  }

  @Test
  void aReportOfAnEarlierBuildDoesNotCount() throws Exception {
    report("one", "a.FastTest", START.minusSeconds(1), 0.5);
    assertThat(SlowestTests.table(root, START)).isEmpty();
  }

  private void report(String module, String name, Instant written, double... seconds)
      throws Exception {
    StringBuilder xml = new StringBuilder("<testsuite name=\"" + name + "\">");
    for (double each : seconds) {
      xml.append(
          String.format(
              java.util.Locale.ROOT,
              "<testcase name=\"t\" classname=\"%s\" time=\"%,.3f\"/>",
              name,
              each));
    }
    Path folder = Files.createDirectories(root.resolve(module + "/target/surefire-reports"));
    Path file = Files.writeString(folder.resolve("TEST-x.xml"), xml + "</testsuite>");
    Files.setLastModifiedTime(file, FileTime.from(written));
  }
}
