package io.quiver.store;

import java.io.IOException;
import java.nio.file.Path;

/** Tells that a store cannot be opened, naming the path and the remedy. */
public final class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Path path;

  /** Creates the message "path: problem; remedy". */
  public StoreException(Path path, String whatIsWrong, String remedy) {
    super(path + ": " + whatIsWrong + "; " + remedy);
    this.path = path;
  }

  /** Creates the message "path: problem; remedy" with a cause. */
  public StoreException(Path path, String whatIsWrong, String remedy, Throwable cause) {
    super(path + ": " + whatIsWrong + "; " + remedy, cause);
    this.path = path;
  }

  /** Returns the path at fault. */
  public Path path() {
    return path;
  }
}
