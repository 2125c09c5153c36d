package io.quiver.benchmarks.workbench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines for further JVMs with this one's classes. */
public final class Jvm {
  private static final List<String> OPTIONS =
      List.of(
          "-XX:+UseSerialGC",
          "--enable-native-access=ALL-UNNAMED",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=4g",
          "-XX:+ExitOnOutOfMemoryError");

  private Jvm() {}

  /**
   * Returns a JVM with the options that {@code quiver server} runs with, for another class. Where
   * the launcher gave this one what it recorded in training, the other gets it too, as a server
   * does.
   */
  public static List<String> command(Class<?> main, List<String> arguments) {
    return command(main, List.of(), arguments);
  }

  /** Returns such a JVM with further options, which win over the usual ones. */
  public static List<String> command(Class<?> main, List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.addAll(options);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-XX:AOTCache="))
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    return command;
  }
}
