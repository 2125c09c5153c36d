package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each kind of trouble has its exit code and one line that names the value and the remedy. */
class ExitCodeTest {
  private static final String HASH = "ab".repeat(32);

  @TempDir private Path folder;

  private static String nobody() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  @Test
  void aServerThatIsNotThereIsUnreachable() throws Exception {
    String address = nobody();
    Path file = Files.writeString(folder.resolve("x"), "x");
    for (String[] command :
        new String[][] {
          {"stat"},
          {"put", file.toString()},
          {"get", HASH},
          {"space", "list"},
          {"space", "drop", "a"}
        }) {
      var ended = Shell.of(address).run(command);
      assertThat(ended.exit()).as(String.join(" ", command)).isEqualTo(3);
      assertThat(ended.out()).isEmpty();
      assertThat(ended.err()).contains(address).contains("./quiver up").hasLineCount(1);
    }
  }

  @Test
  void aMissingFileIsNotFound() throws Exception {
    var ended = Shell.of(nobody()).run("put", folder.resolve("gone").toString());
    assertThat(ended.exit()).isEqualTo(4);
    assertThat(ended.err()).contains("gone").hasLineCount(1);
  }

  @Test
  void aFolderCannotBePut() throws Exception {
    var ended = Shell.of(nobody()).run("put", folder.toString());
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("digest create").hasLineCount(1);
  }

  @Test
  void aMalformedHashIsAUsageErrorThatDoesNotRepeatIt() throws Exception {
    var ended = Shell.of(nobody()).run("get", "abc123");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("64").doesNotContain("abc123").hasLineCount(1);
  }

  @Test
  void anAddressThatIsNoneIsAUsageError() {
    var ended = Shell.plain().run("stat", "--server", "not an address");
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("not an address").contains("http://host:port").hasLineCount(1);
  }

  @Test
  void jsonOfGetNeedsAFile() {
    assertThat(Shell.plain().run("get", HASH, "--json").exit()).isEqualTo(2);
  }

  @Test
  void halfOfATlsPairIsAUsageError() {
    var ended = Shell.plain().run("up", "--tls-cert", "x.pem", "--data", folder.toString());
    assertThat(ended.exit()).isEqualTo(2);
    assertThat(ended.err()).contains("--tls-key").hasLineCount(1);
  }

  @Test
  void stackTracesComeOnlyOnRequest() throws Exception {
    assertThat(Shell.of(nobody()).run("stat").err()).doesNotContain("\tat ");
    assertThat(Shell.of(nobody()).run("stat", "--verbose").err()).contains("\tat ");
  }
}
