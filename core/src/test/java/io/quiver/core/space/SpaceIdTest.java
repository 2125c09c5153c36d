package io.quiver.core.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the names of spaces. */
final class SpaceIdTest {
  @ParameterizedTest
  @ValueSource(strings = {"default", "imagenet.chunk-3", "0", "a_b", "a..b", "x-"})
  void takesNamesThatCanBeFolders(String name) {
    assertThat(new SpaceId(name)).hasToString(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "-a", "_a", "A", "a/b", "a b", "ä", "a\n", "a\u0000"})
  void refusesNamesThatCouldEscapeOrConfuse(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SpaceId(name))
        .withMessageContaining("not a space name");
  }

  @Test
  void boundsTheLengthAndTheMessage() {
    assertThat(new SpaceId("a".repeat(SpaceId.MAX_LENGTH)).name()).hasSize(100);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SpaceId("a".repeat(100_000)))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
  }

  @Test
  void sortsByName() {
    assertThat(new SpaceId("a")).isLessThan(new SpaceId("b"));
    assertThat(new SpaceId("a")).isEqualByComparingTo(new SpaceId("a"));
  }
}
