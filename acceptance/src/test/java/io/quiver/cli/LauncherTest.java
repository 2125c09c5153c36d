package io.quiver.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The launcher script over a checkout whose Maven and Java only write down how they were called, so
 * that what it decides can be seen without a build.
 */
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> MODULES = List.of("core", "store", "cli");

  @TempDir private Path scratch;
  private Path checkout;
  private Path calls;
  private Path jdk;

  @BeforeEach
  void layOutACheckout() throws IOException {
    checkout = Files.createDirectories(scratch.resolve("a check out"));
    calls = scratch.resolve("calls");
    Files.writeString(calls, "");
    Files.createDirectories(checkout.resolve(".mvn"));
    Files.copy(ROOT.resolve("quiver"), checkout.resolve("quiver"));
    Files.copy(ROOT.resolve(".mvn/find-jdk.sh"), checkout.resolve(".mvn/find-jdk.sh"));
    Path shared = Path.of("dist/src/main/launcher/launch.sh");
    Files.createDirectories(checkout.resolve(shared).getParent());
    Files.copy(ROOT.resolve(shared), checkout.resolve(shared));
    // A module without sources, such as one that only packs, is nothing to wait for.
    Files.createDirectories(checkout.resolve("python"));
    Files.writeString(checkout.resolve("python/pom.xml"), "<project/>");
    Files.writeString(
        checkout.resolve("pom.xml"),
        Stream.concat(MODULES.stream(), Stream.of("python"))
            .map(module -> "    <module>" + module + "</module>\n")
            .collect(Collectors.joining("", "<modules>\n", "</modules>\n")));
    for (String module : MODULES) {
      Files.createDirectories(checkout.resolve(module).resolve("src/main/java"));
      Files.writeString(checkout.resolve(module).resolve("pom.xml"), "<project/>");
    }
    script(checkout.resolve("quiver"), Files.readString(checkout.resolve("quiver")));
    jdk = scratch.resolve("a jdk");
    Files.createDirectories(jdk.resolve("bin"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
    script(jdk.resolve("bin/javac"), "#!/bin/sh\n");
    script(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        case "$*" in *AOTCacheOutput*) exit 1;; esac
        for a in "$@"; do echo "[$a]"; done
        """);
    maven("mkdir -p cli/target/quick/lib; touch cli/target/quick/lib/quiver.jar");
  }

  /** Makes a Maven that notes that it was called and then runs these commands. */
  private void maven(String commands) throws IOException {
    script(
        checkout.resolve("mvnw"),
        "#!/bin/sh\necho mvn >> '"
            + calls
            + "'\necho '[INFO] Building Quiver core 0.1.0 [2/9]'\n"
            + commands
            + "\n");
  }

  private static void script(Path path, String text) throws IOException {
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private record Ended(int exit, String out, String err) {}

  private Process start(Path script, Path err, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(scratch.toFile());
    builder.environment().put("JAVA_HOME", jdk.toString());
    return builder.redirectError(err.toFile()).start();
  }

  private Ended run(Path script, String... arguments) throws Exception {
    Path err = Files.createTempFile(scratch, "err", "");
    Process process = start(script, err, arguments);
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), out, Files.readString(err));
  }

  private long builds() throws IOException {
    return Files.readAllLines(calls).size();
  }

  @Test
  void buildsOnceAndPassesArgumentsOn() throws Exception {
    Ended first = run(checkout.resolve("quiver"), "put", "a file", "*");
    assertThat(first.exit()).as(first.err()).isZero();
    assertThat(first.out())
        .contains("[--enable-native-access=ALL-UNNAMED]")
        .endsWith("[io.quiver.cli.Main]\n[put]\n[a file]\n[*]\n");
    assertThat(first.err()).contains("building").contains("recording the start-up");
    Ended second = run(checkout.resolve("quiver"), "up");
    assertThat(second.err()).isEmpty();
    assertThat(second.out()).contains("[-Xmx256m]");
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void theHeapOfAServerGrowsWithItsCapacity() throws Exception {
    assertThat(heap("--capacity", "500GB")).isEqualTo("[-Xmx256m]");
    assertThat(heap("--capacity", "4TB")).isEqualTo("[-Xmx512m]");
    assertThat(heap("--capacity=1.5tib", "--data", "x")).isEqualTo("[-Xmx320m]");
    assertThat(heap("--capacity", "40000000000000")).isEqualTo("[-Xmx2816m]");
    assertThat(heap("--data", "x", "--capacity", "20%")).isEqualTo("[-Xmx1216m]");
    assertThat(heap("--capacity")).as("Java says what is wrong").isEqualTo("[-Xmx256m]");
  }

  private String heap(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("server"));
    all.addAll(List.of(arguments));
    Ended ended = run(checkout.resolve("quiver"), all.toArray(String[]::new));
    return ended.out().lines().filter(line -> line.startsWith("[-Xmx")).findFirst().orElse("");
  }

  @Test
  void worksThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(scratch.resolve("q"), checkout.resolve("quiver"));
    assertThat(run(link, "stat").out())
        .contains("[" + checkout.toRealPath().resolve("cli/target/quick/lib/quiver.jar") + "]");
  }

  @Test
  void buildsAgainWhenASourceIsNewerOrGone() throws Exception {
    Path source = Files.writeString(checkout.resolve("store/src/main/java/A.java"), "class A {}");
    run(checkout.resolve("quiver"), "stat");
    FileTime later = FileTime.from(Instant.now().plusSeconds(5));
    Files.setLastModifiedTime(source, later);
    run(checkout.resolve("quiver"), "stat");
    assertThat(builds()).isEqualTo(2);
    Files.delete(source);
    Files.setLastModifiedTime(source.getParent(), later);
    run(checkout.resolve("quiver"), "stat");
    assertThat(builds()).isEqualTo(3);
  }

  @Test
  @Timeout(60)
  void twoAtOnceBuildOnce() throws Exception {
    // The build says when it has begun and waits to be told to go on: both by named pipes.
    Path began = scratch.resolve("began");
    Path proceed = scratch.resolve("proceed");
    assertThat(new ProcessBuilder("mkfifo", began.toString(), proceed.toString()).start().waitFor())
        .isZero();
    maven(
        String.format(
            "echo x > '%s'; read x < '%s'; mkdir -p cli/target/quick/lib", began, proceed));
    Process first = start(checkout.resolve("quiver"), scratch.resolve("first.err"), "stat");
    assertThat(Files.readString(began)).isEqualTo("x\n");
    ProcessBuilder builder =
        new ProcessBuilder(checkout.resolve("quiver").toString(), "stat")
            .directory(scratch.toFile());
    builder.environment().put("JAVA_HOME", jdk.toString());
    Process second = builder.start();
    assertThat(second.errorReader(StandardCharsets.UTF_8).readLine()).contains("waiting");
    Files.writeString(proceed, "x\n");
    assertThat(first.waitFor()).isZero();
    assertThat(second.waitFor()).isZero();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void aFailedBuildShowsWhyAndIsTriedAgain() throws Exception {
    maven("echo '[ERROR] A.java: not a statement'; exit 1");
    Ended failed = run(checkout.resolve("quiver"), "stat");
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.out()).isEmpty();
    assertThat(failed.err()).contains("A.java: not a statement").contains("build.log");
    maven("mkdir -p cli/target/quick/lib; touch cli/target/quick/lib/quiver.jar");
    assertThat(run(checkout.resolve("quiver"), "stat").exit()).isZero();
  }

  @Test
  void withoutAJdkItSaysWhatToInstall() throws Exception {
    Files.writeString(
        checkout.resolve(".mvn/find-jdk.sh"),
        "quiver_java_feature=25\nquiver_find_jdk() { return 1; }\n");
    Ended ended = run(checkout.resolve("quiver"), "stat");
    assertThat(ended.exit()).isEqualTo(127);
    assertThat(ended.err()).contains("JDK 25").contains("JAVA_HOME");
  }

  @Test
  void javaOptionsOfTheUserComeLast() throws Exception {
    run(checkout.resolve("quiver"), "stat");
    script(
        scratch.resolve("with-options"),
        "#!/bin/sh\nQUIVER_JAVA_OPTS='-Xmx9g -Da=b' exec '"
            + checkout.resolve("quiver")
            + "' stat\n");
    assertThat(run(scratch.resolve("with-options")).out()).contains("[-Xmx9g]\n[-Da=b]\n[-cp]");
  }

  @Test
  void shellScriptsAreClean() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/shellcheck")), "shellcheck is not installed");
    Process process =
        new ProcessBuilder(
                "/usr/bin/shellcheck",
                "-x",
                "quiver",
                ".mvn/installed-maven.sh",
                ".ci/run",
                ".mvn/find-jdk.sh",
                "dist/try-archive",
                "dist/src/main/launcher/quiver")
            .directory(ROOT.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }
}
