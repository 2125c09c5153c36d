package io.quiver.gateway.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quiver.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ends of mounts, good and bad, and what a folder must be like to be mounted at. */
class MountProcessTest {
  private static final Duration FRESHNESS = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Path data;
  private Path target;

  @BeforeAll
  static void needsFuse() {
    Mounting.assumePossible();
  }

  @BeforeEach
  void makeFolders() throws IOException {
    data = Files.createDirectory(folder.resolve("data"));
    target = Files.createDirectory(folder.resolve("target folder"));
    Files.writeString(data.resolve("file"), "hello");
  }

  private Process start() throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                MountProcess.class.getName(),
                data.toString(),
                target.toString(),
                "60000")
            .redirectError(folder.resolve("errors").toFile())
            .start();
    BufferedReader output = process.inputReader();
    String line = output.readLine();
    assertThat(line).as(Files.readString(folder.resolve("errors"))).startsWith("mounted");
    assertThat(Files.readString(target.resolve("file"))).isEqualTo("hello");
    return process;
  }

  private boolean isMounted() {
    return MountPoint.deviceOf(target).isPresent();
  }

  @Test
  void sigtermUnmounts() throws Exception {
    Process process = start();
    process.destroy();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Await.until("nothing is mounted", () -> !isMounted());
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void killLeavesNoDeadMount() throws Exception {
    Process process = start();
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Await.until("nothing is mounted", () -> !isMounted());
    assertThat(target).isEmptyDirectory();
  }

  @Test
  void unmountingFromOutsideEndsTheProcess() throws Exception {
    Process process = start();
    Mounting.run(folder, "fusermount3", "-u", target.toString());
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  @Test
  void aDeadMountIsToldWithItsRemedy() throws Exception {
    Process process = start();
    List<ProcessHandle> helpers = process.descendants().toList();
    assertThat(helpers).isNotEmpty();
    helpers.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Await.until("the mount is dead", this::cannotBeListed);
    assertThatThrownBy(() -> MountPoint.require(target))
        .isInstanceOf(MountException.class)
        .hasMessageContaining("whose process has died")
        .hasMessageContaining("fusermount3 -uz");
    Mounting.run(folder, "fusermount3", "-uz", target.toString());
    assertThat(MountPoint.require(target)).isEqualTo(target.toRealPath());
  }

  private boolean cannotBeListed() {
    try (Stream<Path> entries = Files.list(target)) {
      return entries.findAny().isEmpty();
    } catch (IOException | UncheckedIOException notConnected) {
      return true;
    }
  }

  @Test
  void closingWhileAFileIsOpenStillUnmounts() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    door.put("f", new byte[] {1});
    Mount mount = Mounting.mount(door, folder, FRESHNESS);
    Path file = mount.target().resolve("f");
    Thread closer;
    try (InputStream open = Files.newInputStream(file)) {
      assertThat(open.read()).isEqualTo(1);
      closer = Thread.ofPlatform().start(mount::close);
      Await.until("nothing is mounted", () -> MountPoint.deviceOf(mount.target()).isEmpty());
      assertThat(Files.exists(file)).isFalse();
    }
    assertThat(closer.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void aFolderThatCannotBeMountedAtIsToldWithItsRemedy() throws Exception {
    ObjectsDoor door = new ObjectsDoor();
    MountConfig config = MountConfig.of("quiver:test", FRESHNESS);
    assertThatThrownBy(() -> Mount.open(door, folder.resolve("missing"), config))
        .hasMessageContaining("mkdir -p");
    assertThatThrownBy(() -> Mount.open(door, data, config)).hasMessageContaining("not empty");
    assertThatThrownBy(() -> Mount.open(door, data.resolve("file"), config))
        .hasMessageContaining("not a folder");
    try (Mount _ = Mount.open(door, target, config)) {
      assertThatThrownBy(() -> Mount.open(door, target, config))
          .hasMessageContaining("something mounted already")
          .hasMessageContaining("umount");
    }
  }
}
