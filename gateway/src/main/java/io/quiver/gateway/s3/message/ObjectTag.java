package io.quiver.gateway.s3.message;

import io.quiver.remote.RemoteObject;

/** Entity tags: an object's version in quotes. */
public final class ObjectTag {
  private ObjectTag() {}

  /** Returns the tag of an object, quoted; empty if the store has no versions. */
  public static String of(RemoteObject object) {
    return quoted(object.version());
  }

  /** Returns a version as a tag. */
  public static String quoted(String version) {
    return version.isEmpty() || version.startsWith("\"") || version.startsWith("W/")
        ? version
        : '"' + version + '"';
  }

  /** Returns true if a list of tags, or a star, names this one. Clients may leave quotes out. */
  static boolean listed(String list, String tag) {
    for (String entry : list.split(",", -1)) {
      String candidate = entry.strip();
      if (candidate.equals("*") || (!tag.isEmpty() && bare(candidate).equals(bare(tag)))) {
        return true;
      }
    }
    return false;
  }

  private static String bare(String tag) {
    String strong = tag.startsWith("W/") ? tag.substring(2) : tag;
    return strong.length() >= 2 && strong.startsWith("\"") && strong.endsWith("\"")
        ? strong.substring(1, strong.length() - 1)
        : strong;
  }
}
