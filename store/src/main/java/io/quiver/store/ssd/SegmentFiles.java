package io.quiver.store.ssd;

import io.quiver.core.space.SpaceId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the segment files of a directory. Files with other names are left alone. */
final class SegmentFiles {
  static final String SUFFIX = ".seg";

  private static final Pattern NAME = Pattern.compile("([0-9]{1,18})\\.seg");

  private SegmentFiles() {}

  /** A segment file: its path, its space, and its length when it was found. */
  record Found(StoreDirectory directory, SpaceId space, long number, Path path, long bytes) {}

  /** Returns the number in a segment file's name. */
  static long number(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    return name.matches() ? Long.parseLong(name.group(1)) : Long.MAX_VALUE;
  }

  /** Returns the segment files of a directory, and removes the folders of spaces without any. */
  static List<Found> in(StoreDirectory directory) throws IOException {
    List<Found> found = new ArrayList<>();
    if (!Files.isDirectory(directory.spacesPath())) {
      return found;
    }
    try (DirectoryStream<Path> spaces = Files.newDirectoryStream(directory.spacesPath())) {
      for (Path folder : spaces) {
        if (Files.isDirectory(folder) && isSpaceName(folder.getFileName().toString())) {
          SpaceId space = new SpaceId(folder.getFileName().toString());
          if (!addSegments(directory, space, folder, found)) {
            directory.removeIfEmpty(space);
          }
        }
      }
    }
    return found;
  }

  /** Adds the segments in a folder; returns false if there are none. */
  private static boolean addSegments(
      StoreDirectory directory, SpaceId space, Path folder, List<Found> found) throws IOException {
    int before = found.size();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        if (name.matches()) {
          long number = Long.parseLong(name.group(1));
          found.add(new Found(directory, space, number, file, Files.size(file)));
        }
      }
    }
    return found.size() > before;
  }

  private static boolean isSpaceName(String name) {
    try {
      return new SpaceId(name).name().equals(name);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
