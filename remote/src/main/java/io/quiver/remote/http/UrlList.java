package io.quiver.remote.http;

import io.quiver.remote.NameOrder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Parses a text file with one URL per line, absolute or relative to the file. Blank lines and those
 * that begin with {@code #} are ignored; characters a URL may not hold are percent-encoded.
 *
 * <p>A URL below the list's own folder is named by its path from there, any other by its host and
 * path; names are percent-decoded and never hold a query, which may be a signature.
 */
final class UrlList {
  /** The most URLs in a list: about a gigabyte of memory at the very most. */
  static final int LONGEST = 5_000_000;

  private static final String LEGAL = "-._~:/?#[]@!$&'()*+,;=%";

  private final NavigableMap<String, URI> targets = new TreeMap<>(NameOrder.UTF_8);
  private final @Nullable URI folder;
  private final String where;

  /**
   * @param list where the list came from, if from the web
   * @param where the list's location for messages
   */
  private UrlList(@Nullable URI list, String where) {
    this.folder = list == null ? null : list.resolve(".");
    this.where = where;
  }

  /** Parses a list and returns the URL of each name, ordered by name. */
  static NavigableMap<String, URI> parse(InputStream text, @Nullable URI list, String where)
      throws IOException {
    UrlList result = new UrlList(list, where);
    BufferedReader lines = new BufferedReader(new InputStreamReader(text, StandardCharsets.UTF_8));
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      String trimmed = line.strip();
      if (!trimmed.isEmpty() && !trimmed.startsWith("#")) {
        result.add(trimmed, number);
      }
    }
    return result.targets;
  }

  /** Returns true if an address is an HTTP or HTTPS URL. */
  static boolean isWeb(URI address) {
    return address.getHost() != null
        && ("http".equalsIgnoreCase(address.getScheme())
            || "https".equalsIgnoreCase(address.getScheme()));
  }

  private void add(String line, int number) throws IOException {
    URI target = resolve(line, number);
    if (targets.put(name(target), target) != null) {
      throw new IOException(
          where + ", line " + number + ": '" + name(target) + "' is listed twice");
    }
    if (targets.size() > LONGEST) {
      throw new IOException(where + " has more than " + LONGEST + " URLs; split it");
    }
  }

  private URI resolve(String line, int number) throws IOException {
    try {
      URI reference = URI.create(encode(line));
      URI target = folder == null ? reference : folder.resolve(reference);
      if (isWeb(target) && target.getRawUserInfo() == null && !name(target).isEmpty()) {
        return target;
      }
    } catch (IllegalArgumentException malformed) {
      throw new IOException(where + ", line " + number + " is not a URL", malformed);
    }
    throw new IOException(
        where
            + ", line "
            + number
            + " must be an http(s) URL of an object without a password"
            + (folder == null ? "; relative ones need a list on the web" : ""));
  }

  private String name(URI target) {
    String path = target.getPath();
    if (folder != null
        && folder.getScheme().equals(target.getScheme())
        && folder.getRawAuthority().equals(target.getRawAuthority())
        && path.startsWith(folder.getPath())) {
      return path.substring(folder.getPath().length());
    }
    return target.getRawAuthority() + path;
  }

  /** Percent-encodes what a URL may not hold, and leaves the rest as the list's author wrote it. */
  static String encode(String line) {
    StringBuilder encoded = new StringBuilder(line.length() + 16);
    for (byte unit : line.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (unit & 0xff);
      boolean plain =
          character < 0x80
              && (Character.isLetterOrDigit(character) || LEGAL.indexOf(character) >= 0);
      if (plain) {
        encoded.append(character);
      } else {
        encoded.append('%').append(String.format("%02X", unit & 0xff));
      }
    }
    return encoded.toString();
  }
}
