package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completion script is made from the commands and is valid bash. */
class CompletionTest {
  @TempDir private Path folder;

  @Test
  void theScriptParsesAndCompletesCommands() throws Exception {
    var ended = Shell.plain().run("completion");
    assertThat(ended.exit()).isZero();
    Path script = Files.write(folder.resolve("quiver.bash"), ended.outBytes());
    assertThat(bash("bash -n '" + script + "'")).isEmpty();
    String words =
        bash(
            "source '"
                + script
                + "'; COMP_WORDS=(quiver di); COMP_CWORD=1; _complete_quiver;"
                + " printf '%s\\n' \"${COMPREPLY[@]}\"");
    assertThat(words.strip()).isEqualTo("digest");
  }

  @Test
  void theScriptComesAsJsonToo() {
    assertThat(Shell.plain().run("completion", "--json").json().path("script").asText())
        .contains("_complete_quiver");
  }

  private static String bash(String line) throws Exception {
    Process process = new ProcessBuilder("bash", "-c", line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    return said;
  }
}
