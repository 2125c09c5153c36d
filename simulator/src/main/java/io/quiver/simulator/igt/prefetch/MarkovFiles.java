package io.quiver.simulator.igt.prefetch;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads ahead the files that followed the one that is read, as SFP does (Wang et al., GLSVLSI
 * 2021): a Markov chain of files, of which a window of the most probable successors is read whole.
 * The window grows while they are wanted and shrinks when they are not.
 */
final class MarkovFiles implements Prefetcher {
  private static final int MOST_FILES = 1 << 16;
  private static final int MOST_SUCCESSORS = 8;
  private static final int MOST_WINDOW = 8;

  /** A successor is read ahead if it followed so often, as a share of all times. */
  private static final double LEAST_SHARE = 0.5;

  private final StoredFiles files;
  private final Map<Integer, Map<Integer, Integer>> followers = new LinkedHashMap<>();
  private int last = -1;
  private int expected = -1;
  private int window = 2;

  MarkovFiles(StoredFiles files) {
    this.files = files;
  }

  @Override
  public void asked(Asked read, Fetcher fetcher) {
    if (read.file() == last) {
      return;
    }
    if (expected >= 0) {
      window =
          expected == read.file() ? Math.min(MOST_WINDOW, 2 * window) : Math.max(1, window / 2);
    }
    if (last >= 0) {
      learn(last, read.file());
    }
    last = read.file();
    expected = likely(last);
    int next = expected;
    for (int i = 0; i < window && next >= 0; i++) {
      FilePrefetchers.whole(files, next, fetcher);
      next = likely(next);
    }
  }

  private void learn(int from, int to) {
    if (followers.size() >= MOST_FILES && !followers.containsKey(from)) {
      followers.remove(followers.keySet().iterator().next());
    }
    Map<Integer, Integer> counts = followers.computeIfAbsent(from, any -> new HashMap<>());
    if (counts.size() < MOST_SUCCESSORS || counts.containsKey(to)) {
      counts.merge(to, 1, Integer::sum);
    }
  }

  /** Returns the file that probably follows; -1 for none. */
  private int likely(int file) {
    @Nullable Map<Integer, Integer> counts = followers.get(file);
    if (counts == null) {
      return -1;
    }
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    return counts.entrySet().stream()
        .filter(entry -> entry.getValue() >= LEAST_SHARE * all)
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(-1);
  }
}
