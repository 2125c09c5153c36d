package io.quiver.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Progress is drawn for people, written down for logs and kept from scripts. */
class ProgressTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private long nanos;

  @Test
  void aTerminalGetsABarWithRateAndTimeLeftThatIsRemovedAtTheEnd() {
    try (Progress progress = progress(Progress.Style.BAR, 80)) {
      progress.total(1_000_000_000);
      for (int second = 1; second <= 5; second++) {
        nanos = second * 1_000_000_000L;
        progress.update(second * 100_000_000L);
      }
      assertThat(said()).contains("50 %").contains("500 MB of 1.00 GB").contains("100 MB/s");
      assertThat(said()).contains("5 s left").contains("━").doesNotContain("\n");
    }
    assertThat(said()).endsWith("\r\u001b[K");
  }

  @Test
  void aNarrowTerminalGetsALineThatFits() {
    try (Progress progress = progress(Progress.Style.BAR, 40)) {
      progress.total(1_000_000_000);
      nanos = 1_000_000_000L;
      progress.update(400_000_000L, "a very long detail that cannot possibly fit");
    }
    String line = said().substring(1, said().indexOf("\u001b[K"));
    assertThat(line.length()).isLessThan(40);
  }

  @Test
  void aShortTaskDrawsNothing() {
    try (Progress progress = progress(Progress.Style.BAR, 80)) {
      progress.total(10);
      nanos = 100_000_000L;
      progress.update(10);
    }
    assertThat(said()).isEmpty();
  }

  @Test
  void aLogGetsAPlainLineEveryFewSeconds() {
    try (Progress progress = progress(Progress.Style.PLAIN, 80)) {
      progress.total(100_000_000);
      for (int tenth = 1; tenth <= 110; tenth++) {
        nanos = tenth * 100_000_000L;
        progress.update(tenth * 500_000L);
      }
    }
    assertThat(said().lines()).hasSize(2).allMatch(line -> line.startsWith("working: "));
    assertThat(said()).contains("25 %, 25.0 MB of 100 MB  5.00 MB/s").doesNotContain("\u001b");
  }

  @Test
  void aScriptGetsNothing() {
    try (Progress progress = progress(Progress.Style.NONE, 80)) {
      nanos = 100_000_000_000L;
      progress.update(10);
    }
    assertThat(said()).isEmpty();
  }

  @Test
  void workOfAnEarlierRunDoesNotCountAsSpeed() {
    try (Progress progress = progress(Progress.Style.BAR, 100)) {
      progress.total(1_000_000_000);
      nanos = 1_000_000_000L;
      progress.update(910_000_000L, 900_000_000L, "");
      assertThat(said()).contains("10.0 MB/s").contains("9 s left");
    }
  }

  private Progress progress(Progress.Style style, int columns) {
    Console console =
        new Console(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            true,
            columns,
            false,
            Map.of("LANG", "en_US.UTF-8"));
    return new Progress(console, style, "working", Progress.Unit.BYTES, () -> nanos);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
