package io.quiver.simulator.igt.prefetch;

import java.util.LinkedHashMap;
import java.util.Map;

/** Ways of reading ahead that look at the blocks of one file only, as file systems do. */
final class BlockPrefetchers {
  /** Files whose reads are remembered, the latest read ones. */
  private static final int MOST_FILES = 1024;

  private BlockPrefetchers() {}

  /** The reads of one reader in one file. */
  private static final class Run {
    int last = -1;
    int length;
    int window;

    /** Notes a read; returns false if it is one more of the same block. */
    boolean step(int block) {
      if (block == last) {
        return false;
      }
      length = block == last + 1 ? length + 1 : 1;
      last = block;
      return true;
    }
  }

  /** The runs of the files that were read last. */
  private static final class Runs extends LinkedHashMap<Long, Run> {
    private static final long serialVersionUID = 1;
    private static final float LOAD = 0.75f;

    Runs() {
      super(MOST_FILES, LOAD, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Long, Run> eldest) {
      return size() > MOST_FILES;
    }

    Run of(Prefetcher.Asked read) {
      return computeIfAbsent(StoredFiles.key(read.file(), read.reader()), any -> new Run());
    }
  }

  /** Reads four blocks ahead after each four blocks in a row. */
  static Prefetcher stride() {
    final int stride = 4;
    Runs runs = new Runs();
    return (read, fetcher) -> {
      Run run = runs.of(read);
      if (run.step(read.block()) && run.length % stride == 0) {
        ahead(read, stride, fetcher);
      }
    };
  }

  /**
   * Reads on with a window that doubles with each further block in a row, up to a bound: the
   * adaptive stride of JuiceFS, which begins with one block at the beginning of a file.
   *
   * @param most blocks of the window at most
   */
  static Prefetcher doubling(int most) {
    Runs runs = new Runs();
    return (read, fetcher) -> {
      Run run = runs.of(read);
      if (!run.step(read.block())) {
        return;
      }
      boolean begins = run.length == 1 && read.block() == 0;
      run.window = run.length == 1 ? (begins ? 1 : 0) : Math.min(most, Math.max(1, 2 * run.window));
      ahead(read, run.window, fetcher);
    };
  }

  private static void ahead(Prefetcher.Asked read, int blocks, Prefetcher.Fetcher fetcher) {
    for (int next = 1; next <= blocks; next++) {
      fetcher.ahead(read.file(), read.block() + next);
    }
  }
}
