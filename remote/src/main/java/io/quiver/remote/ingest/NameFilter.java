package io.quiver.remote.ingest;

import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;

/** Which objects take part, by globs on their names. */
final class NameFilter {
  private record Glob(boolean wholeName, PathMatcher matcher) {
    boolean matches(Path name) {
      Path last = name.getFileName();
      return matcher.matches(wholeName || last == null ? name : last);
    }
  }

  private final List<Glob> include;
  private final List<Glob> exclude;

  NameFilter(List<String> include, List<String> exclude) {
    this.include = globs(include);
    this.exclude = globs(exclude);
  }

  boolean admits(String name) {
    if (include.isEmpty() && exclude.isEmpty()) {
      return true;
    }
    try {
      Path path = Path.of(name);
      return (include.isEmpty() || include.stream().anyMatch(glob -> glob.matches(path)))
          && exclude.stream().noneMatch(glob -> glob.matches(path));
    } catch (InvalidPathException e) {
      return include.isEmpty();
    }
  }

  private static List<Glob> globs(List<String> patterns) {
    List<Glob> globs = new ArrayList<>();
    for (String pattern : patterns) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
      globs.add(new Glob(pattern.contains("/"), matcher));
    }
    return globs;
  }
}
