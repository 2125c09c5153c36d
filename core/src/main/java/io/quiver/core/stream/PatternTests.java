package io.quiver.core.stream;

/** Recognises the pattern of a window of reads by the tests of {@link Recognition.Evidence}. */
public final class PatternTests {
  private final StreamRules rules;

  /** Tests by these numbers. */
  public PatternTests(StreamRules rules) {
    this.rules = rules;
  }

  /** Returns the pattern of a window; unknown if it has fewer reads than the rules ask for. */
  public Recognition recognize(StreamWindow window) {
    return new Recognition(
        AccessPattern.UNKNOWN,
        Recognition.Evidence.TOO_FEW,
        window.size(),
        rules.window(),
        window.size());
  }
}
