package io.quiver.core.plan.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.core.bound.Bounds;
import io.quiver.core.plan.allocate.DatasetKey;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SpaceSizesTest {
  private static final DatasetKey ONE = new DatasetKey("00000000000000aa");
  private static final DatasetKey OTHER = new DatasetKey("00000000000000bb");

  @Test
  void itIsTheMapItWasMadeOf() {
    Map<String, Long> map =
        Map.of(ONE.space(20, 9).name(), 9L, ONE.space(20, 10).name(), 10L, "default", 0L);
    SpaceSizes sizes = SpaceSizes.copyOf(map);
    assertThat(sizes).isEqualTo(map).hasSameHashCodeAs(map);
    assertThat(map).isEqualTo(sizes);
    assertThat(sizes.get("absent")).isNull();
    assertThat(SpaceSizes.copyOf(sizes)).isSameAs(sizes);
  }

  @Test
  void spacesOfKnownDatasetsArePassedOver() {
    String one = ONE.space(2, 0).name();
    String other = OTHER.space(2, 1).name();
    SpaceSizes sizes =
        SpaceSizes.copyOf(Map.of(one, 1L, other, 2L, ONE.space(2, 1).name(), 3L, "default", 4L));
    List<String> outside =
        sizes.names().outside(ONE.text()::equals).mapToObj(sizes.names()::name).toList();
    assertThat(outside).containsExactly("default", other);
  }

  @Test
  void spacesThatJobsRankAreFoundAtOnce() {
    String ranked = ONE.rankedSpace().name();
    SpaceSizes sizes =
        SpaceSizes.copyOf(
            Map.of(ranked, 1L, ONE.space(2, 0).name(), 2L, "ds-other.ranked", 3L, "default", 4L));
    List<String> found = sizes.names().ranked().mapToObj(sizes.names()::name).toList();
    assertThat(found).containsExactly(ranked);
  }

  @Test
  void impossibleSizesAreRefused() {
    assertThatThrownBy(() -> SpaceSizes.copyOf(Map.of("a", -1L))).hasMessageContaining("spaces.a");
    assertThatThrownBy(() -> SpaceSizes.copyOf(Map.of("a", Bounds.MAX_BYTES, "b", 1L)))
        .hasMessageContaining("the sum of spaces");
    assertThatThrownBy(() -> SpaceSizes.copyOf(Map.of("a".repeat(1000), 1L)))
        .hasMessageContaining("the length of a name");
  }
}
