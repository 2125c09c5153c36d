package io.quiver.remote.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Turns object names into paths below a root and lets none lead out of it.
 *
 * <p>Names come from digests and from other programs. One that is absolute, has empty, {@code .} or
 * {@code ..} parts, or passes through a symbolic link that ends outside the root, is refused. This
 * guards against names from outside, not against somebody who can change the folder itself.
 */
record FileNames(Path root) {
  private static final int LONGEST_PART = 255;
  private static final int LONGEST_PATH = 4096;

  /**
   * Returns true if the name is a plain relative path: no part of it is empty, {@code .} or {@code
   * ..}.
   */
  static boolean isPlain(String name) {
    if (name.indexOf('\0') >= 0 || name.isEmpty()) {
      return false;
    }
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return false;
      }
    }
    return true;
  }

  /** Returns the real path of an object, links resolved. */
  Path resolve(String name) throws IOException {
    if (!isPlain(name)) {
      throw new NoSuchFileException(
          name, null, "names are relative paths without empty, '.' or '..' parts");
    }
    Path real = realPath(name);
    if (!real.startsWith(root)) {
      throw new AccessDeniedException(
          name, null, "a symbolic link leads out of " + root + "; open the store at its target");
    }
    return real;
  }

  private Path realPath(String name) throws IOException {
    Path path = path(name);
    try {
      return path.toRealPath();
    } catch (FileSystemException failure) {
      requireShortParts(name);
      for (Path above = path.getParent(); above != null; above = above.getParent()) {
        if (Files.isRegularFile(above)) {
          throw new NoSuchFileException(name, null, above + " is a file, not a folder");
        }
      }
      throw failure;
    }
  }

  private static void requireShortParts(String name) throws NoSuchFileException {
    for (String part : name.split("/", -1)) {
      if (part.getBytes(StandardCharsets.UTF_8).length > LONGEST_PART) {
        throw new NoSuchFileException(
            name, null, "no file has a name of more than " + LONGEST_PART + " bytes");
      }
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
      throw new NoSuchFileException(
          name, null, "no file has a path of more than " + LONGEST_PATH + " bytes");
    }
  }

  /** Returns true if a link found while listing ends inside the root. */
  boolean leadsInside(Path link) throws IOException {
    return link.toRealPath().startsWith(root);
  }

  /** Returns the folder a plain name stands for, links not followed. */
  Path path(String name) throws IOException {
    try {
      return root.resolve(name);
    } catch (InvalidPathException unmappable) {
      NoSuchFileException missing =
          new NoSuchFileException(
              name,
              null,
              "the name cannot be written in this process's file name encoding; start it with"
                  + " LC_ALL=C.UTF-8");
      missing.initCause(unmappable);
      throw missing;
    }
  }

  static FileNames below(Path root) throws IOException {
    return new FileNames(root.toRealPath());
  }
}
