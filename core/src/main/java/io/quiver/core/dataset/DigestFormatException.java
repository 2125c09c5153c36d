package io.quiver.core.dataset;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A digest that cannot be trusted: cut, damaged, foreign or written by a newer version.
 *
 * <p>The message names the byte position, the value found there and what to do about it.
 */
public final class DigestFormatException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final long position;
  private final String problem;
  private final String remedy;

  /** Makes a complaint about the bytes at a position of the file. */
  public DigestFormatException(long position, String problem, String remedy) {
    this("digest", position, problem, remedy, null);
  }

  private DigestFormatException(
      String file, long position, String problem, String remedy, @Nullable Throwable cause) {
    super(file + ", byte " + position + ": " + problem + "; " + remedy, cause);
    this.position = position;
    this.problem = problem;
    this.remedy = remedy;
  }

  /** Returns a copy that names the file it is about. */
  public DigestFormatException in(String file) {
    return new DigestFormatException(file, position, problem, remedy, this);
  }

  /** Returns where in the file the trouble is. */
  public long position() {
    return position;
  }
}
