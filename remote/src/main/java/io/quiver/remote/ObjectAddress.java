package io.quiver.remote;

import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A bucket or container and a path in it, as in {@code s3://bucket/path}.
 *
 * <p>The path is taken literally, not percent-decoded: keys may hold any character.
 *
 * @param scheme such as {@code s3}
 * @param container the bucket or container
 * @param path without a slash in front; empty for the whole container
 */
public record ObjectAddress(String scheme, String container, String path) {
  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:.*");

  /** Parses an address. */
  public static ObjectAddress parse(String address) {
    int authority = address.indexOf("://") + 3;
    if (authority < 3) {
      throw malformed(address);
    }
    int slash = address.indexOf('/', authority);
    String container = address.substring(authority, slash < 0 ? address.length() : slash);
    String path = slash < 0 ? "" : address.substring(slash + 1);
    if (!container.matches("[A-Za-z0-9$][A-Za-z0-9._$-]{0,254}")) {
      throw malformed(address);
    }
    return new ObjectAddress(address.substring(0, authority - 3), container, path);
  }

  /** Returns true if the address can only be a folder. */
  public boolean isFolder() {
    return path.isEmpty() || path.endsWith("/");
  }

  /** Returns this address as a folder. */
  public ObjectAddress asFolder() {
    return isFolder() ? this : new ObjectAddress(scheme, container, path + "/");
  }

  /** Returns the folder around the address. */
  public ObjectAddress parent() {
    return new ObjectAddress(scheme, container, path.substring(0, path.lastIndexOf('/') + 1));
  }

  /** Returns the last part of the path. */
  public String lastPart() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Returns the key of an object below this folder.
   *
   * @throws NoSuchFileException if the name is empty: it is that of the folder itself
   */
  public String objectKey(String name) throws NoSuchFileException {
    if (name.isEmpty()) {
      throw new NoSuchFileException(toString(), null, "it is a folder, not an object");
    }
    return key(name);
  }

  /** Returns the key of an object below this folder. */
  public String key(String name) {
    return path + name;
  }

  /** Returns the name of an object below this folder. */
  public String name(String key) {
    return key.substring(path.length());
  }

  @Override
  public String toString() {
    return scheme + "://" + container + "/" + path;
  }

  private static IllegalArgumentException malformed(String address) {
    return new IllegalArgumentException(
        "'"
            + withoutSecrets(address)
            + "' is no address of a bucket; write it like s3://bucket/folder/");
  }

  /** Returns an address without its query and password, for messages. */
  public static String withoutSecrets(String address) {
    int query = address.indexOf('?');
    String shown = query < 0 ? address : address.substring(0, query);
    int authority = shown.indexOf("://");
    int at = shown.indexOf('@', Math.max(authority, 0));
    return authority >= 0 && at >= 0
        ? shown.substring(0, authority + 3) + shown.substring(at + 1)
        : shown;
  }

  /** Returns an address without its query and password, for messages. */
  public static String withoutSecrets(URI address) {
    return withoutSecrets(address.toString());
  }

  /** Returns the scheme of an address in lower case; empty for a plain path. */
  public static String scheme(String address) {
    return SCHEME.matcher(address).matches()
        ? address.substring(0, address.indexOf(':')).toLowerCase(Locale.ROOT)
        : "";
  }

  /** Returns the path of a {@code file:} address. */
  public static Path filePath(String address) {
    try {
      return Path.of(URI.create(address));
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(
          "'" + address + "' is no file address; write file:///folder/ or the plain path",
          malformed);
    }
  }
}
