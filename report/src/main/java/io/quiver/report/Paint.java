package io.quiver.report;

/**
 * The few colours in use, by what they mean.
 *
 * @param on whether to colour at all; otherwise text passes unchanged
 */
public record Paint(boolean on) {
  /** Returns the text in a strong style. */
  public String strong(String text) {
    return wrap("1", text);
  }

  /** Returns the text in a faint style. */
  public String faint(String text) {
    return wrap("2", text);
  }

  /** Good news. */
  public String good(String text) {
    return wrap("32", text);
  }

  /** Bad news. */
  public String bad(String text) {
    return wrap("31", text);
  }

  /** Addresses and names to copy. */
  public String name(String text) {
    return wrap("36", text);
  }

  private String wrap(String code, String text) {
    return on ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
