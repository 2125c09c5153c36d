package io.quiver.simulator.igt.prefetch;

/** Ways of reading ahead that follow the order of files, whatever is read of them. */
final class FilePrefetchers {
  /** The paper's depth (IGTCache, §3.3). */
  static final int DEPTH = 4;

  private FilePrefetchers() {}

  /** Reads the next files as a whole: reading ahead at the granularity of files (§2.2). */
  static Prefetcher nextFiles(StoredFiles files) {
    return (read, fetcher) -> {
      int end = Math.min(files.count(), read.file() + 1 + DEPTH);
      for (int next = read.file() + 1; next < end; next++) {
        whole(files, next, fetcher);
      }
    };
  }

  /** Reads all files of the next directories: hierarchical prefetching without its selection. */
  static Prefetcher nextDirectories(StoredFiles files) {
    return (read, fetcher) -> {
      int directory = files.directory(read.file());
      for (int next = read.file() + 1;
          next < files.count() && files.directory(next) <= directory + DEPTH;
          next++) {
        if (files.directory(next) > directory) {
          whole(files, next, fetcher);
        }
      }
    };
  }

  static void whole(StoredFiles files, int file, Prefetcher.Fetcher fetcher) {
    for (int block = 0; block < files.blocks(file); block++) {
      fetcher.ahead(file, block);
    }
  }
}
