package io.quiver.core.bound;

import io.quiver.core.hash.ContentHash;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks the values of documents that others send. Each record checks its own components, so that
 * nothing out of bounds exists anywhere; a refusal names the field as JSON spells it, the value and
 * what may stand there.
 */
public final class Bounds {
  /** The largest count: every reader of JSON holds whole numbers exactly up to here. */
  public static final long MAX_COUNT = 1L << 53;

  /** The largest size of a data set or a server in bytes: a PiB. */
  public static final long MAX_BYTES = 1L << 50;

  /** The largest size of a whole cluster in bytes: sums do not overflow. */
  public static final long MAX_CLUSTER_BYTES = 1L << 62;

  /** The largest number of items, epochs or batches at a time. */
  public static final int MAX_BATCHES = 1 << 30;

  /** The longest duration in seconds, and the longest time ago. */
  public static final double MAX_SECONDS = 1e9;

  /** The shortest duration that is measured. */
  public static final double MIN_SECONDS = 1e-12;

  private static final int MAX_SHOWN = 60;
  private static final int MAX_ADDRESS = 255;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,128}");
  private static final String NAME_DESCRIBED = "1 to 128 letters, digits and . _ @ -";

  private Bounds() {}

  /** Returns a value that must be there. */
  public static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw new IllegalArgumentException(field + " is missing or null");
    }
    return value;
  }

  /** Returns a whole number between two others. */
  public static int whole(String field, int value, int least, int most) {
    return (int) whole(field, (long) value, least, most);
  }

  /** Returns a whole number between two others. */
  public static long whole(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          field + " is " + value + "; it must be " + least + " to " + most);
    }
    return value;
  }

  /** Returns a number between two others; NaN is not. */
  public static double number(String field, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          field + " is " + value + "; it must be " + least + " to " + most);
    }
    return value;
  }

  /** Returns a measured time: 0 while unknown, otherwise long enough to divide by. */
  public static double measured(String field, double seconds) {
    return seconds == 0 ? seconds : number(field, seconds, MIN_SECONDS, MAX_SECONDS);
  }

  /** Returns the name of a job, a group, a server or a user. */
  public static String name(String field, @Nullable String value) {
    return matching(field, value, NAME, NAME_DESCRIBED);
  }

  /** Returns the secret of an instance; a refusal does not show it. */
  public static String secret(String field, @Nullable String value) {
    String secret = present(field, value);
    if (!NAME.matcher(secret).matches()) {
      throw new IllegalArgumentException(field + " must be " + NAME_DESCRIBED);
    }
    return secret;
  }

  /** Returns eight digits that tell a secret from others without giving it away. */
  public static String fingerprint(String secret) {
    ContentHash hash = ContentHash.ofContent(secret.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits(hash.prefix()).substring(0, 8);
  }

  /** Returns a text of so many characters at most; none is empty. */
  public static String textOrEmpty(String field, @Nullable String value, int most) {
    String text = Objects.requireNonNullElse(value, "");
    if (text.length() > most || text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          field
              + " is "
              + quoted(text)
              + "; use at most "
              + most
              + " characters, no control characters");
    }
    return text;
  }

  /** Returns a text that a pattern describes. */
  public static String matching(
      String field, @Nullable String value, Pattern pattern, String described) {
    String text = present(field, value);
    if (!pattern.matcher(text).matches()) {
      throw new IllegalArgumentException(field + " is " + quoted(text) + "; use " + described);
    }
    return text;
  }

  /** Returns the address of a server, {@code http://host:port} or {@code https://host:port}. */
  public static String address(String field, @Nullable String value) {
    String text = present(field, value);
    if (!isAddress(text)) {
      throw new IllegalArgumentException(
          field + " is " + quoted(text) + "; use http://host:port or https://host:port");
    }
    return text;
  }

  private static boolean isAddress(String text) {
    try {
      URI uri = new URI(text);
      return text.length() <= MAX_ADDRESS
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getPort() != 0
          && uri.getPort() <= 0xffff
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Returns a copy of a list of so many values at most, none of which is null. */
  public static <T> List<T> list(String field, @Nullable List<T> values, int most) {
    List<T> list = present(field, values);
    whole("the length of " + field, list.size(), 0, most);
    for (@Nullable T value : list) {
      if (value == null) {
        throw new IllegalArgumentException("a value in " + field + " is missing or null");
      }
    }
    return List.copyOf(list);
  }

  private static String quoted(String text) {
    boolean cut = text.length() > MAX_SHOWN;
    return "\"" + (cut ? text.substring(0, MAX_SHOWN) + "…" : text) + "\"";
  }
}
