package io.quiver.cli.console;

import io.quiver.protocol.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Prints a command's results to standard output, its notes and progress to standard error. */
public final class Output {
  private final Console console;
  private final OutputOptions options;

  Output(Console console, OutputOptions options) {
    this.console = console;
    this.options = options;
  }

  /** Returns true if the result is wanted as JSON. */
  public boolean json() {
    return options.json();
  }

  /** The streams behind this. */
  public Console console() {
    return console;
  }

  /** One line of the result, for people. */
  public void line(String text) {
    try {
      console.out().write((text + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new OutputClosed(e);
    }
  }

  /** Bytes of the result. */
  public void bytes(ByteBuffer content) {
    byte[] piece = new byte[Math.min(content.remaining(), 1 << 16)];
    ByteBuffer rest = content.duplicate();
    try {
      while (rest.hasRemaining()) {
        int length = Math.min(piece.length, rest.remaining());
        rest.get(piece, 0, length);
        console.out().write(piece, 0, length);
      }
    } catch (IOException e) {
      throw new OutputClosed(e);
    }
  }

  /** One JSON document of the result, on one line, sent off at once. */
  public void document(Object value) {
    line(Json.line(value));
    flush();
  }

  /** Sends off what is buffered. */
  public void flush() {
    try {
      console.out().flush();
    } catch (IOException e) {
      throw new OutputClosed(e);
    }
  }

  /** Something worth knowing that is not the result; left out when asked to be quiet. */
  public void note(String text) {
    if (!options.quiet() && !options.json()) {
      console.err().println(text);
    }
  }

  /** Something that went wrong without ending the command; always said. */
  public void warning(String text) {
    console.err().println(console.errPaint().bad("warning: ") + text);
  }

  /** A display for a task that may take long. */
  public Progress progress(String task, Progress.Unit unit) {
    return new Progress(console, style(), task, unit, System::nanoTime);
  }

  private Progress.Style style() {
    if (options.json() || options.quiet()) {
      return Progress.Style.NONE;
    }
    return console.errIsTerminal() ? Progress.Style.BAR : Progress.Style.PLAIN;
  }

  /** Whoever read standard output has gone, as {@code head} does: time to end quietly. */
  public static final class OutputClosed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosed(IOException cause) {
      super("standard output does not take any more", cause);
    }
  }
}
