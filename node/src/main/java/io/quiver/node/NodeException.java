package io.quiver.node;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a cluster or a job in this process cannot start or go on. The message names the
 * value that is wrong and what to do about it; a program may show it as it is.
 */
public final class NodeException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** The kind of trouble, for programs that treat an absent cluster apart. */
  public enum Kind {
    /** The work was tried and failed. */
    FAILED,
    /** Nobody answers where a server or a manager should be. */
    UNREACHABLE
  }

  private final Kind kind;

  /** Creates a failure of work that was tried. */
  public NodeException(String message) {
    this(Kind.FAILED, message, null);
  }

  /** Creates a failure of work that was tried, with its cause. */
  public NodeException(String message, @Nullable Throwable cause) {
    this(Kind.FAILED, message, cause);
  }

  private NodeException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Creates the failure to find a cluster. */
  public static NodeException unreachable(String message) {
    return new NodeException(Kind.UNREACHABLE, message, null);
  }

  /** Returns the kind of trouble. */
  public Kind kind() {
    return kind;
  }
}
