package io.quiver.core.stream.tree;

/** Takes paths apart and puts them together; the path of the root is empty. */
final class PathNames {
  private PathNames() {}

  /** Returns the hash of a name, which is a part of a path. */
  static int hash(String path, int from, int to) {
    int hash = 7;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + path.charAt(i);
    }
    return hash;
  }

  /** Returns the path of a child of a directory. */
  static String joined(String directory, String name) {
    return directory.isEmpty() ? name : directory + "/" + name;
  }

  /** Returns the path of the directory in which an object lies. */
  static String directory(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }

  /** Returns the last name of a path. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
