package io.quiver.benchmarks;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A benchmark that could not be carried out; the message says why and what would help. */
public final class BenchmarkException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** A complaint for the one who started the benchmark. */
  public BenchmarkException(String message) {
    super(message);
  }

  /** A complaint and what led to it. */
  public BenchmarkException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
