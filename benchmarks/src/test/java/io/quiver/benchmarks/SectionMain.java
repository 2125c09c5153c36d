package io.quiver.benchmarks;

import io.quiver.benchmarks.section.FindingReport;
import io.quiver.benchmarks.section.Section;
import io.quiver.benchmarks.section.SectionBenchmark;
import io.quiver.benchmarks.section.SectionOptions;
import java.util.Locale;

/** Runs one section from a checkout without the command line. */
final class SectionMain {
  private SectionMain() {}

  public static void main(String[] arguments) throws Exception {
    boolean quick = arguments.length > 1 && arguments[1].equals("--quick");
    System.out.println(
        FindingReport.table(
            SectionBenchmark.run(
                Section.valueOf(arguments[0].toUpperCase(Locale.ROOT)),
                SectionOptions.ofQuick(quick),
                (done, step) -> System.err.printf("%3.0f %% %s%n", done * 100, step))));
  }
}
