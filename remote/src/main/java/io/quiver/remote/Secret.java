package io.quiver.remote;

import java.util.Objects;

/**
 * A value that may be used but not shown: keys, tokens, connection strings.
 *
 * <p>Keeps secrets out of logs and error messages, where records that hold it print themselves.
 */
public final class Secret {
  private final String value;

  private Secret(String value) {
    this.value = Objects.requireNonNull(value, "value");
  }

  /** Wraps a value. */
  public static Secret of(String value) {
    return new Secret(value);
  }

  /** Returns the value itself, for the one place that hands it to an SDK. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && value.equals(secret.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "(secret)";
  }
}
