package io.quiver.cli.command;

import io.quiver.cli.console.CommandFailure;
import io.quiver.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of a page with plots. */
record ReportFile(Path path) {
  /**
   * A file that can be written, which is found out before minutes have gone by.
   *
   * @throws CommandFailure naming the file and what to do
   */
  static ReportFile of(Path file) throws CommandFailure {
    Path path = file.toAbsolutePath().normalize();
    Path folder = path.getParent();
    if (Files.isDirectory(path) || folder == null || !Files.isWritable(folder)) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "cannot write the report to "
              + path
              + "; name a file in a folder of yours with --report");
    }
    return new ReportFile(path);
  }

  void write(String page) throws IOException {
    Files.writeString(path, page);
  }

  @Override
  public String toString() {
    return path.toUri().toString();
  }
}
