package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Digests from the command line: made, shown, checked and compared. */
class DigestCommandsTest {
  private static final String HELLO_HASH =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  @TempDir private Path folder;
  private Path data;
  private String digest;

  @BeforeEach
  void layDataOut() throws Exception {
    data = Files.createDirectories(folder.resolve("data set"));
    for (String name : new String[] {"cat", "dog"}) {
      Path pictures = Files.createDirectories(data.resolve(name));
      Files.writeString(pictures.resolve("1.jpg"), name.equals("cat") ? "hello" : "a dog");
      Files.writeString(pictures.resolve("2.jpg"), "another " + name);
    }
    digest = folder.resolve("x.qdg").toString();
  }

  @Test
  void aFolderIsDigestedShownAndVerified() {
    var made = Shell.plain().run("digest", "create", data.toString(), "-o", digest, "--json");
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.err()).isEmpty();
    assertThat(made.json().path("items").asInt()).isEqualTo(4);
    assertThat(made.json().path("identity").asText()).matches("[0-9a-f]{64}");

    var shown = Shell.plain().run("digest", "show", digest, "--json").json();
    assertThat(shown.path("classes").toString()).isEqualTo("[\"cat\",\"dog\"]");
    assertThat(shown.path("identity")).isEqualTo(made.json().path("identity"));
    assertThat(shown.path("first").path(0).path("location").asText()).isEqualTo("cat/1.jpg");
    assertThat(shown.path("first").path(0).path("hash").asText()).isEqualTo("2cf24dba…");

    var verified = Shell.plain().run("digest", "verify", digest, "--json");
    assertThat(verified.exit()).as(verified.err()).isZero();
    assertThat(verified.json().path("items_checked").asInt()).isEqualTo(4);
  }

  @Test
  void hashesAreShownWholeOnlyOnRequest() {
    Shell.plain().run("digest", "create", data.toString(), "-o", digest, "-q");
    assertThat(Shell.plain().run("digest", "show", digest).out())
        .contains("cat/1.jpg")
        .doesNotContain(HELLO_HASH);
    assertThat(Shell.plain().run("digest", "show", digest, "--hashes").out()).contains(HELLO_HASH);
  }

  @Test
  void aChangedItemIsFoundAndNamed() throws Exception {
    Shell.plain().run("digest", "create", data.toString(), "-o", digest, "-q");
    Files.writeString(data.resolve("dog/1.jpg"), "b dog");
    var verified = Shell.plain().run("digest", "verify", digest);
    assertThat(verified.exit()).isEqualTo(1);
    assertThat(verified.out()).contains("changed").contains("dog/1.jpg").contains("1 changed");
    assertThat(Shell.plain().run("digest", "verify", digest, "--file-only").exit()).isZero();
  }

  @Test
  void digestsOfDifferentDataDiffer() throws Exception {
    String later = folder.resolve("y.qdg").toString();
    Shell.plain().run("digest", "create", data.toString(), "-o", digest, "-q");
    Files.writeString(data.resolve("dog/3.jpg"), "one more");
    Files.delete(data.resolve("cat/2.jpg"));
    Shell.plain().run("digest", "create", data.toString(), "-o", later, "-q");
    var diff = Shell.plain().run("digest", "diff", digest, later);
    assertThat(diff.exit()).as(diff.err()).isEqualTo(1);
    assertThat(diff.out()).contains("+ dog/3.jpg").contains("- cat/2.jpg").contains("1 added");
    var json = Shell.plain().run("digest", "diff", digest, digest, "--json");
    assertThat(json.exit()).isZero();
    assertThat(json.json().path("same_identity").asBoolean()).isTrue();
    assertThat(json.json().path("unchanged").asInt()).isEqualTo(4);
  }

  @Test
  void theMembersOfATarAreItems() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
      for (String name : new String[] {"a.txt", "b.txt", "c.txt"}) {
        byte[] content = ("content of " + name).getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
      }
    }
    Path tar = Files.write(folder.resolve("shard.tar"), bytes.toByteArray());
    var made = Shell.plain().run("digest", "create", tar.toString(), "-o", digest);
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.out()).contains("3 items in 1 objects");
    assertThat(Shell.plain().run("digest", "show", digest).out()).contains("shard.tar!b.txt");
  }

  @Test
  void recordsNeedTheirLength() {
    var made =
        Shell.plain().run("digest", "create", data.toString(), "--kind", "records", "-o", digest);
    assertThat(made.exit()).isEqualTo(2);
    assertThat(made.err()).contains("--record-bytes").hasLineCount(1);
  }

  @Test
  void aMissingDigestIsNotFoundAndAForeignFileFails() throws Exception {
    var missing = Shell.plain().run("digest", "show", digest);
    assertThat(missing.exit()).isEqualTo(4);
    assertThat(missing.err()).contains(digest).hasLineCount(1);
    Path foreign = Files.writeString(folder.resolve("foreign"), "x".repeat(500));
    var wrong = Shell.plain().run("digest", "show", foreign.toString());
    assertThat(wrong.exit()).isEqualTo(1);
    assertThat(wrong.err()).contains("no digest").hasLineCount(1);
  }

  @Test
  void aMissingFolderIsNotFound() {
    var made =
        Shell.plain().run("digest", "create", folder.resolve("nowhere").toString(), "-o", digest);
    assertThat(made.exit()).as(made.err()).isEqualTo(4);
    assertThat(made.err()).contains("nowhere").hasLineCount(1);
  }

  @Test
  void anUnknownKindOfStoreIsAUsageError() {
    var made = Shell.plain().run("digest", "create", "gopher://x/y", "-o", digest);
    assertThat(made.exit()).isEqualTo(2);
    assertThat(made.err()).contains("gopher").hasLineCount(1);
  }
}
