package io.quiver.node.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files a job's ledger consists of: one for each rank of each run. {@code job.qlg} is that of
 * the first run of a job with one rank; with several there are {@code job.qlg.r0}, {@code
 * job.qlg.r1}…, and a run that goes on writes {@code job.qlg.run2} and so forth. So {@code
 * job.qlg*} names them all.
 */
final class LedgerFiles {
  private final Path base;
  private final List<Path> earlier;
  private final int run;

  private LedgerFiles(Path base, List<Path> earlier, int run) {
    this.base = base;
    this.earlier = earlier;
    this.run = run;
  }

  /** Looks for what earlier runs have left. */
  static LedgerFiles at(Path base) throws IOException {
    Path absolute = base.toAbsolutePath();
    Path folder = absolute.getParent();
    Path name = absolute.getFileName();
    if (folder == null || name == null || Files.isDirectory(absolute)) {
      throw new IllegalArgumentException(
          "--ledger " + base + " is a folder; use the name of a file in it");
    }
    Files.createDirectories(folder);
    Pattern form =
        Pattern.compile(Pattern.quote(name.toString()) + "(\\.run(\\d{1,6}))?(\\.r\\d{1,6})?");
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found =
          files
              .filter(file -> form.matcher(file.getFileName().toString()).matches())
              .sorted()
              .toList();
      int last = found.stream().mapToInt(file -> run(form, file)).max().orElse(0);
      return new LedgerFiles(absolute, found, last + 1);
    }
  }

  private static int run(Pattern form, Path file) {
    Matcher matcher = form.matcher(file.getFileName().toString());
    return matcher.matches() && matcher.group(2) != null ? Integer.parseInt(matcher.group(2)) : 1;
  }

  /** Returns which run of the job this is, from 1. */
  int run() {
    return run;
  }

  /** Returns the path that the user gave. */
  Path base() {
    return base;
  }

  /** Returns the ledger that a process which still runs is writing; empty if there is none. */
  Optional<Path> beingWritten() throws IOException {
    for (Path file : earlier) {
      if (JobLedger.isBeingWritten(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /** Returns the ledgers of earlier runs. */
  List<Path> earlier() {
    return earlier;
  }

  /** Returns where a rank of this run writes. */
  Path ofRank(int rank, int ranks) {
    String text =
        base.getFileName() + (run > 1 ? ".run" + run : "") + (ranks > 1 ? ".r" + rank : "");
    return base.resolveSibling(text);
  }
}
