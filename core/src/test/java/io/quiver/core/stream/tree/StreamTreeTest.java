package io.quiver.core.stream.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.core.stream.StreamRules;
import io.quiver.testkit.SeededRuns;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The nodes that paths make, and how they part. */
final class StreamTreeTest {
  private final StreamTree tree =
      new StreamTree(StreamRules.STANDARD, new Listings(1 << 20), 1 << 20);

  private List<String> way(String path, boolean hasBlocks) {
    Way way = tree.reach(path, hasBlocks);
    List<String> paths = new ArrayList<>();
    for (int level = 0; level < way.size(); level++) {
      paths.add(way.node(level).path());
    }
    return paths;
  }

  @Test
  void joinsDirectoriesWithoutBranches() {
    assertThat(way("a/b/c/d/file", false)).containsExactly("", "a/b/c/d");
    assertThat(tree.nodes()).isEqualTo(2);
  }

  @Test
  void partsJoinedDirectoriesWhereWaysPart() {
    way("a/b/c/d/file", false);
    assertThat(way("a/b/x/file", false)).containsExactly("", "a/b", "a/b/x");
    assertThat(way("a/b/c/d/other", false)).containsExactly("", "a/b", "a/b/c/d");
    assertThat(way("a/b/file", false)).containsExactly("", "a/b");
    assertThat(way("a/file", false)).containsExactly("", "a");
    assertThat(way("a/b/c/file", false)).containsExactly("", "a", "a/b", "a/b/c");
    assertThat(way("a/b/c/d/file", false)).containsExactly("", "a", "a/b", "a/b/c", "a/b/c/d");
  }

  @Test
  void partsNamesOnlyAtSlashes() {
    way("train/images-a/file", false);
    assertThat(way("train/images-b/file", false)).containsExactly("", "train", "train/images-b");
    assertThat(way("trainer/file", false)).containsExactly("", "trainer");
  }

  @Test
  void makesStreamsOfFilesWithSeveralBlocksOnly() {
    assertThat(way("a/large", true)).containsExactly("", "a", "a/large");
    assertThat(way("a/small", false)).containsExactly("", "a");
    assertThat(way("large", true)).containsExactly("", "large");
  }

  @Test
  void tellsAFileFromADirectoryOfItsName() {
    way("a/name", true);
    assertThat(way("a/name/file", false)).containsExactly("", "a", "a/name");
    assertThat(tree.nodes()).isEqualTo(4);
    assertThat(Objects.requireNonNull(tree.find("a/name")).isFile).isFalse();
  }

  @Test
  void keepsReadsWhenDirectoriesPart() {
    StreamNode joined = tree.reach("a/b/c/file", false).last();
    tree.reach("a/x/file", false);
    assertThat(tree.reach("a/b/c/file", false).last()).isSameAs(joined);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a/b", "a/b/", "a//b", "/a", "//", "a/b/c/d", "x", "a/bb"})
  void findsExactlyTheDirectoriesThatHaveNodes(String directory) {
    List<String> paths = List.of("a/b/c/d/1", "a/b/x/2", "a/b//3", "/a/4", "a//b/5");
    Set<String> known = new HashSet<>();
    paths.forEach(path -> known.addAll(way(path, false)));
    paths.forEach(path -> known.addAll(way(path, false)));
    StreamNode found = tree.find(directory);
    assertThat(found != null).isEqualTo(known.contains(directory));
    if (found != null) {
      assertThat(found.path()).isEqualTo(directory);
    }
  }

  @Test
  void takesDeepDirectoriesForPartsOfNames() {
    String deep = "d/".repeat(1000) + "file";
    assertThat(way(deep, false)).hasSize(2);
    for (int level = 1; level < 200; level++) {
      way("d/".repeat(level) + "file", false);
    }
    assertThat(way(deep, false)).hasSizeLessThanOrEqualTo(40);
  }

  @Test
  void neverMixesStreamsUp() {
    SeededRuns.run(
        20,
        random -> {
          StreamTree some = new StreamTree(StreamRules.STANDARD, new Listings(1 << 20), 1 << 20);
          String[] names = {"a", "b", "ab", "", "a b", "ä", "..", "0"};
          for (int step = 0; step < 2000; step++) {
            StringBuilder path = new StringBuilder();
            for (int depth = random.nextInt(6); depth > 0; depth--) {
              path.append(names[random.nextInt(names.length)]).append('/');
            }
            path.append("file").append(random.nextInt(3));
            Way way = some.reach(path.toString(), random.nextInt(4) == 0);
            String above = "";
            for (int level = 1; level < way.size(); level++) {
              StreamNode node = way.node(level);
              assertThat(node.parent()).isSameAs(way.node(level - 1));
              above = level == 1 ? node.label() : above + "/" + node.label();
              assertThat((path + "/").startsWith(above + "/")).as(path + " in " + above).isTrue();
            }
            if (!way.last().isFile) {
              assertThat(path.substring(way.from(way.size() - 1))).doesNotContain("/");
            }
          }
        });
  }
}
