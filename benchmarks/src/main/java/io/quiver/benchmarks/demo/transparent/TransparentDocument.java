package io.quiver.benchmarks.demo.transparent;

import java.util.List;

/**
 * The result as scripts read it. A stable document; new fields may be added.
 *
 * @param cacheFraction cache / data
 * @param bytes the bytes of all data
 * @param report where the page with plots is
 * @param runs each run
 * @param speedUpOverLru the time of all readers together with a plain shared cache, as a multiple
 *     of that with streams; 0 unless both ran
 * @param slowestOverNone the time of each reader with streams as a share of that without a cache:
 *     the largest of these; 0 unless both ran
 */
public record TransparentDocument(
    double cacheFraction,
    long bytes,
    String report,
    List<Run> runs,
    double speedUpOverLru,
    double slowestOverNone) {
  /**
   * One run.
   *
   * @param mode what stood between programs and store
   * @param seconds when the last reader ended
   * @param totalSeconds the times of all readers together
   * @param programBytes the bytes that programs asked for
   * @param storeBytes the bytes that doors read from the store
   * @param storeReads their requests
   * @param readers each reader
   * @param streams the streams that were recognised
   */
  public record Run(
      String mode,
      double seconds,
      double totalSeconds,
      long programBytes,
      long storeBytes,
      long storeReads,
      List<ReaderTime> readers,
      List<TransparentResult.Stream> streams) {}

  /**
   * One reader of a run.
   *
   * @param reader which one
   * @param seconds how long it took
   */
  public record ReaderTime(String reader, double seconds) {}

  /** Returns the document of a result. */
  public static TransparentDocument of(TransparentResult result, String report) {
    TransparentFindings findings = new TransparentFindings(result);
    return new TransparentDocument(
        result.options().cacheFraction(),
        result.bytes(),
        report,
        result.runs().stream().map(TransparentDocument::run).toList(),
        rounded(findings.speedUpOverLru()),
        rounded(findings.slowestOverNone()));
  }

  private static Run run(TransparentResult.Run run) {
    return new Run(
        run.mode().word(),
        rounded(run.seconds()),
        rounded(run.totalSeconds()),
        run.programBytes(),
        run.storeBytes(),
        run.storeReads(),
        List.of(Reader.values()).stream()
            .map(reader -> new ReaderTime(reader.word(), rounded(run.seconds(reader))))
            .toList(),
        run.streams());
  }

  private static double rounded(double value) {
    return Math.round(value * 1e6) / 1e6;
  }
}
