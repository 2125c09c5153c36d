package io.quiver.core.plan;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.chunk.PlannedChunk;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.CachePreferences;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * Data sets nobody reads: they keep what the others leave, the one used last the longest. What was
 * pinned by hand keeps its bytes, and what must not be cached goes.
 */
final class IdleDatasets {
  private final CachePreferences preferences;

  IdleDatasets(CachePreferences preferences) {
    this.preferences = preferences;
  }

  /** Returns what nobody else may have. */
  long reserved(SortedMap<DatasetKey, DatasetState> states, Set<DatasetKey> read) {
    return states.values().stream()
        .filter(state -> !read.contains(state.dataset()) && isPinned(state))
        .mapToLong(state -> Math.min(state.listedBytes(), preferences.most(state.dataset())))
        .sum();
  }

  private boolean isPinned(DatasetState state) {
    return preferences.of(state.dataset()) == CachePreference.PIN;
  }

  /** Takes from idle data sets what does not fit beside those that are read. */
  void clear(SortedMap<DatasetKey, DatasetState> states, Set<DatasetKey> read, long capacity) {
    long left = capacity;
    for (DatasetState state : states.values()) {
      left -= read.contains(state.dataset()) ? Math.min(capacity, state.listedBytes()) : 0;
    }
    List<DatasetState> idle =
        states.values().stream()
            .filter(state -> !read.contains(state.dataset()))
            .sorted(
                Comparator.comparing((DatasetState state) -> !isPinned(state))
                    .thenComparing(Comparator.comparingLong(DatasetState::usedAt).reversed()))
            .toList();
    for (DatasetState state : idle) {
      long most = Math.min(Math.max(left, 0), preferences.most(state.dataset()));
      int fit = state.fitting(most);
      List<PlannedChunk> kept =
          state.plannedChunks().stream().filter(PlannedChunk::isWhole).limit(fit).toList();
      left -= (long) (kept.size() * state.chunkBytes());
      if (kept.isEmpty()) {
        states.remove(state.dataset());
      } else {
        states.put(state.dataset(), state.with(kept));
      }
    }
  }
}
