package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the sources of all modules to the project's plain English: comments begin with a verb or a
 * responsibility, and a simple name denotes one type.
 */
final class TidySourcesTest {
  private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final Pattern UNTIDY_OPENING =
      Pattern.compile("(What|How|Whether|Who|Whom|Whose|Which|The same)\\b.*", Pattern.DOTALL);
  private static final Pattern ISO_DURATION = Pattern.compile("\"[^\"\n]*\\bPT[0-9.]+[HMS]\\b");

  @Test
  void commentsBeginWithAVerbOrAResponsibility() {
    List<String> offenders = new ArrayList<>();
    for (Path source : sources("src/main/java", "src/test/java")) {
      offenders.addAll(untidyComments(source));
    }
    assertThat(offenders).as("say what it does, as in 'Returns the bytes …'").isEmpty();
  }

  @Test
  void messagesShowNoIsoDurations() {
    List<String> offenders = new ArrayList<>();
    for (Path source : sources("src/main/java")) {
      offenders.addAll(matches(source, ISO_DURATION));
    }
    assertThat(offenders).as("use PlainDuration").isEmpty();
  }

  @Test
  void aSimpleNameDenotesOneType() {
    Map<String, List<Path>> byName =
        sources("src/main/java").stream()
            .filter(source -> !source.endsWith("package-info.java"))
            .collect(
                Collectors.groupingBy(
                    source -> source.getFileName().toString(), TreeMap::new, Collectors.toList()));
    byName.values().removeIf(files -> files.size() == 1);
    assertThat(byName).isEmpty();
  }

  private static List<String> untidyComments(Path source) {
    List<String> offenders = new ArrayList<>();
    String text = read(source);
    Matcher comments = COMMENT.matcher(text);
    while (comments.find()) {
      String words = comments.group(1).replaceAll("\\s*\n\\s*\\*", " ").strip();
      if (UNTIDY_OPENING.matcher(words).matches()) {
        offenders.add(place(source, text, comments.start()) + ": " + words.split("[.;]", 2)[0]);
      }
    }
    return offenders;
  }

  private static List<String> matches(Path source, Pattern pattern) {
    String text = read(source);
    return pattern
        .matcher(text)
        .results()
        .map(match -> place(source, text, match.start()) + ": " + match.group())
        .toList();
  }

  private static String place(Path source, String text, int offset) {
    long line = text.substring(0, offset).chars().filter(c -> c == '\n').count() + 1;
    return root().relativize(source) + ":" + line;
  }

  private static List<Path> sources(String... folders) {
    try (Stream<Path> modules = Files.list(root())) {
      return modules
          .flatMap(module -> Stream.of(folders).map(module::resolve))
          .filter(Files::isDirectory)
          .flatMap(TidySourcesTest::javaFiles)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the project's folder: the nearest one above that holds the license. */
  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("LICENSE"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no LICENSE above the working directory");
    }
    return folder;
  }
}
