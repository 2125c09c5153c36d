package io.quiver.benchmarks.reproduce;

import io.quiver.report.plot.Figures;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A figure that a paper states, beside the results here.
 *
 * @param claim the subject of the figure
 * @param paper the published figure
 * @param results what came out, by policy
 * @param reason why results differ, with the figures that show it; told only where they do
 */
record PaperClaim(String claim, double paper, List<Result> results, String reason) {
  /** Within this share of the published figure a result counts as the same. */
  private static final double TOLERANCE = 0.1;

  /**
   * A result and how it compares with the published figure.
   *
   * @param policy name of the policy
   * @param value its figure, null if it was never reached
   * @param verdict {@code as published}, {@code more}, {@code less} or {@code never}
   */
  record Result(String policy, @Nullable Double value, String verdict) {
    private String text() {
      String figure = value == null ? "" : " " + shown(value);
      return policy + figure + " (" + verdict + ")";
    }
  }

  /** A figure of a policy; one that is not finite was never reached. */
  record Value(String policy, double figure) {
    private Result judged(double paper) {
      if (!Double.isFinite(figure)) {
        return new Result(policy, null, "never");
      }
      double times = figure / paper;
      String verdict =
          Math.abs(times - 1) <= TOLERANCE ? "as published" : times > 1 ? "more" : "less";
      return new Result(policy, Math.round(1000 * figure) / 1000.0, verdict);
    }
  }

  /** Compares the figures of policies with a published one. */
  static PaperClaim of(String claim, double paper, List<Value> values, String reason) {
    return new PaperClaim(
        claim, paper, values.stream().map(value -> value.judged(paper)).toList(), reason);
  }

  private static String shown(double figure) {
    return figure < 1 ? Figures.ratio(figure) : Figures.plain(figure);
  }

  /** Returns true if the figure of some policy is as published. */
  boolean holds() {
    return results.stream().anyMatch(result -> result.verdict.equals("as published"));
  }

  /** Returns the claim with all verdicts, and the reason where none is as published. */
  String sentence() {
    return claim
        + ": "
        + shown(paper)
        + " in the paper; here "
        + results.stream().map(Result::text).collect(Collectors.joining(", "))
        + "."
        + (holds() || reason.isEmpty() ? "" : " " + reason);
  }

  /**
   * The result of a figure for scripts.
   *
   * @param rows all results
   * @param claims the published figures beside ours
   */
  record Document(List<?> rows, List<PaperClaim> claims) {}
}
