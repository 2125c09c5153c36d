package io.quiver.benchmarks.workbench;

import io.quiver.benchmarks.BenchmarkException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The C programs of the benchmark, compiled on the machine they run on.
 *
 * @param loadGenerator asks any of the servers and counts what comes back
 * @param reference the server with gathered writes that marks the limit
 */
public record NativePrograms(Path loadGenerator, Path reference) {
  private static final String RESOURCES = "/io/quiver/benchmarks/native/";
  private static final List<String> SOURCES =
      List.of(
          "httpload.c", "loadgen.c", "mountload.c", "protocols.c", "protocols.h", "reference.c");
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Compiles both into the workbench. */
  public static NativePrograms compile(Workbench workbench)
      throws BenchmarkException, InterruptedException {
    Path folder = workbench.folder("native");
    copySources(folder);
    Path loadGenerator = compile(workbench, folder, "loadgen", "loadgen.c", "protocols.c");
    return new NativePrograms(
        loadGenerator, compile(workbench, folder, "reference", "reference.c"));
  }

  /**
   * The programs that read through doors.
   *
   * @param mount reads mounted files
   * @param http asks for objects
   */
  public record DoorReaders(Path mount, Path http) {}

  /** Compiles the programs that read through doors. */
  public static DoorReaders doorReaders(Workbench workbench)
      throws BenchmarkException, InterruptedException {
    Path folder = workbench.folder("native-doors");
    copySources(folder);
    Path mount = compile(workbench, folder, "mountload", "mountload.c");
    return new DoorReaders(mount, compile(workbench, folder, "httpload", "httpload.c"));
  }

  private static void copySources(Path folder) throws BenchmarkException {
    for (String source : SOURCES) {
      try (InputStream in = NativePrograms.class.getResourceAsStream(RESOURCES + source)) {
        if (in == null) {
          throw new BenchmarkException("the resource " + RESOURCES + source + " is missing");
        }
        Files.copy(in, folder.resolve(source));
      } catch (IOException e) {
        throw new BenchmarkException("cannot write " + folder.resolve(source) + ": " + e, e);
      }
    }
  }

  private static Path compile(Workbench workbench, Path folder, String program, String... sources)
      throws BenchmarkException, InterruptedException {
    Path target = folder.resolve(program);
    List<String> head = List.of(compiler(), "-O2", "-pthread", "-Wall", "-o", target.toString());
    Stream<String> files = Stream.of(sources).map(source -> folder.resolve(source).toString());
    List<String> command = Stream.concat(head.stream(), files).toList();
    workbench.run("cc-" + program, command, LIMIT);
    return target;
  }

  private static String compiler() throws BenchmarkException {
    Optional<String> found =
        Stream.of("cc", "gcc", "clang").flatMap(name -> Programs.find(name).stream()).findFirst();
    return found.orElseThrow(() ->
        new BenchmarkException(
            "no C compiler (cc, gcc or clang) on the PATH; install one, for example gcc"));
  }
}
