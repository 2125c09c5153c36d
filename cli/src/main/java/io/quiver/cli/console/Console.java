package io.quiver.cli.console;

import io.quiver.report.Paint;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The streams of a command and the kind of reader at their other end.
 *
 * <p>Results go to {@link #out}, everything said along the way to {@link #err}.
 *
 * @param in standard input
 * @param out standard output, for results only; binary or UTF-8 text
 * @param err standard error
 * @param errIsTerminal whether a person watches standard error, so that lines may be redrawn
 * @param outIsTerminal whether a person watches standard output
 * @param columns how wide lines that are redrawn may be
 * @param colours whether escape sequences are welcome
 * @param environment the process's environment variables
 */
public record Console(
    InputStream in,
    OutputStream out,
    PrintStream err,
    boolean outIsTerminal,
    boolean errIsTerminal,
    int columns,
    boolean colours,
    Map<String, String> environment) {

  private static final int USUAL_COLUMNS = 80;

  /**
   * This process's own streams. The launcher says by system properties which of them are terminals,
   * because Java cannot ask for each by itself.
   */
  public static Console ofProcess() {
    boolean outIsTerminal = Boolean.getBoolean("quiver.terminal.out");
    boolean errIsTerminal = Boolean.getBoolean("quiver.terminal.err");
    Map<String, String> environment = System.getenv();
    return new Console(
        new FileInputStream(FileDescriptor.in),
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
        new PrintStream(
            new BufferedOutputStream(new FileOutputStream(FileDescriptor.err), 1 << 12),
            true,
            StandardCharsets.UTF_8),
        outIsTerminal,
        errIsTerminal,
        Integer.getInteger("quiver.terminal.columns", USUAL_COLUMNS),
        environment.getOrDefault("NO_COLOR", "").isEmpty()
            && !environment.getOrDefault("TERM", "dumb").equals("dumb"),
        environment);
  }

  /** Returns the colours of standard output. */
  public Paint outPaint() {
    return new Paint(colours && outIsTerminal);
  }

  /** Returns the colours of standard error. */
  public Paint errPaint() {
    return new Paint(colours && errIsTerminal);
  }

  /** Prints an error on the one line it may take. */
  public void error(String message) {
    String oneLine = message.strip().replaceAll("\\s*\\R\\s*", " ");
    err().println(errPaint().bad("quiver: ") + oneLine);
  }
}
