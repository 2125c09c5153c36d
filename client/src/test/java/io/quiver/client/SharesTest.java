package io.quiver.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quiver.client.GetCall.Shares;
import io.quiver.testkit.SeededRuns;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Proportional shares. */
final class SharesTest {
  @Test
  void addUpStayWithinTheSizesAndAreProportional() {
    SeededRuns.run(
        500,
        random -> {
          int[] sizes = random.ints(1 + random.nextInt(8), 0, 20_000).toArray();
          int total = Arrays.stream(sizes).sum();
          int want = random.nextInt(total + 10);
          int[] shares = Shares.of(sizes, want);
          assertThat(Arrays.stream(shares).sum()).isEqualTo(Math.min(want, total));
          for (int i = 0; i < sizes.length; i++) {
            double exact = (double) sizes[i] * Math.min(want, total) / Math.max(1, total);
            assertThat(shares[i]).isBetween(0, sizes[i]);
            assertThat(shares[i] - exact).isBetween(-1.0, 1.0);
          }
        });
  }

  @Test
  void tiesGoToTheEarlierPart() {
    assertThat(Shares.of(new int[] {5, 5, 5}, 1)).containsExactly(1, 0, 0);
    assertThat(Shares.of(new int[] {5, 5, 5}, 2)).containsExactly(1, 1, 0);
  }
}
