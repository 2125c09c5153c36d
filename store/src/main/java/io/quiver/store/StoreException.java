package io.quiver.store;

import java.io.IOException;
import java.nio.file.Path;

/** A store that cannot be opened: says which path is at fault and what to do about it. */
public final class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path path;

  /** A failure of this path; the message is "path: what is wrong; remedy". */
  public StoreException(Path path, String whatIsWrong, String remedy) {
    super(path + ": " + whatIsWrong + "; " + remedy);
    this.path = path;
  }

  /** A failure of this path with the error underneath. */
  public StoreException(Path path, String whatIsWrong, String remedy, Throwable cause) {
    super(path + ": " + whatIsWrong + "; " + remedy, cause);
    this.path = path;
  }

  /** The path at fault. */
  public Path path() {
    return path;
  }
}
