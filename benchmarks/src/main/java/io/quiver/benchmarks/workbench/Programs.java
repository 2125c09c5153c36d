package io.quiver.benchmarks.workbench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds installed programs: on the PATH, then where system daemons usually lie, then where the Go
 * toolchain installs.
 */
public final class Programs {
  private static final List<String> SYSTEM = List.of("/usr/sbin", "/usr/local/sbin", "/sbin");

  private Programs() {}

  /** Returns the program's file, if it is installed. */
  public static Optional<String> find(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    List<String> folders = new ArrayList<>(List.of(path.split(":", -1)));
    folders.addAll(SYSTEM);
    folders.addAll(ofGo());
    return folders.stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  private static List<String> ofGo() {
    Map<String, String> environment = System.getenv();
    String home = System.getProperty("user.home", "");
    String workspaces = environment.getOrDefault("GOPATH", Path.of(home, "go").toString());
    List<String> folders = new ArrayList<>();
    folders.add(environment.getOrDefault("GOBIN", ""));
    for (String workspace : workspaces.split(":", -1)) {
      if (!workspace.isEmpty()) {
        folders.add(Path.of(workspace, "bin").toString());
      }
    }
    return folders;
  }
}
