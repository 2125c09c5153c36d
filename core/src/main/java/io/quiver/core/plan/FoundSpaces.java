package io.quiver.core.plan;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.chunk.ChunkGeneration;
import io.quiver.core.plan.chunk.DatasetState;
import io.quiver.core.plan.chunk.PlannedChunk;
import io.quiver.core.plan.report.CachePreference;
import io.quiver.core.plan.report.KeeperCounts;
import io.quiver.core.plan.report.Observations;
import io.quiver.core.plan.report.Observed;
import io.quiver.core.plan.report.ServerReport;
import io.quiver.core.plan.report.SpaceSizes;
import io.quiver.core.space.SpaceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The contents of servers as they report them, also from before this manager's time. */
final class FoundSpaces {
  /** Items differ in length, so that chunks of one data set do, too. */
  private static final double WHOLE = 0.95;

  private final Observations seen;

  FoundSpaces(Observations seen) {
    this.seen = seen;
  }

  /** Returns the bytes that servers hold of each stream, by its hashed name. */
  Map<String, Long> ofStreams() {
    Map<String, Long> held = new HashMap<>();
    for (Observed<ServerReport> server : seen.servers()) {
      SpaceSizes sizes = server.report().spaceSizes();
      sizes
          .names()
          .streams((key, place) -> {
            if (sizes.bytes(place) > 0) {
              held.merge(key, sizes.bytes(place), Long::sum);
            }
          });
    }
    return held;
  }

  /** Returns the planned chunks of a data set of which servers have nearly all bytes. */
  List<ChunkGeneration> wholeChunks(DatasetState state) {
    List<ChunkGeneration> whole = new ArrayList<>();
    for (PlannedChunk planned : state.plannedChunks()) {
      String space = state.dataset().space(state.chunks(), planned.chunk()).name();
      long held = 0;
      for (Observed<ServerReport> server : seen.servers()) {
        SpaceSizes sizes = server.report().spaceSizes();
        int place = sizes.names().place(space);
        held += place < 0 ? 0 : sizes.bytes(place);
      }
      if (held >= WHOLE * state.chunkBytes()) {
        whole.add(new ChunkGeneration(planned.chunk(), planned.generation()));
      }
    }
    return whole;
  }

  /** Returns the counts of a space's keepers on all servers together. */
  KeeperCounts counts(SpaceId space) {
    List<KeeperCounts> counts = new ArrayList<>();
    for (Observed<ServerReport> server : seen.servers()) {
      @Nullable KeeperCounts each = server.report().keepers().get(space.name());
      if (each != null) {
        counts.add(each);
      }
    }
    return KeeperCounts.sum(counts);
  }

  /** Returns the bytes of each chunk of data sets that are not known. */
  private SortedMap<String, Long> unknown(Set<DatasetKey> known) {
    Set<String> knownDigits = new HashSet<>();
    known.forEach(dataset -> knownDigits.add(dataset.text()));
    Map<SpaceSizes.SpaceNames, List<SpaceSizes>> alike =
        seen.servers().stream()
            .map(server -> server.report().spaceSizes())
            .collect(Collectors.groupingBy(SpaceSizes::names));
    SortedMap<String, Long> unknown = new TreeMap<>();
    alike.forEach((names, sizes) ->
        names
            .outside(knownDigits::contains)
            .forEach(place -> {
              String name = names.name(place);
              DatasetKey.parse(name)
                  .map(DatasetKey.ChunkSpace::dataset)
                  .filter(dataset -> seen.preferences().of(dataset) != CachePreference.NEVER)
                  .ifPresent(dataset -> unknown.merge(name, sum(sizes, place), Long::sum));
            }));
    return unknown;
  }

  private static long sum(List<SpaceSizes> sizes, int place) {
    long sum = 0;
    for (SpaceSizes each : sizes) {
      sum += each.bytes(place);
    }
    return sum;
  }

  private boolean isPinned(String space) {
    return DatasetKey.parse(space)
        .filter(parsed -> seen.preferences().of(parsed.dataset()) == CachePreference.PIN)
        .isPresent();
  }

  /**
   * Returns the unknown chunks that stay: those that fit beside what the plan holds, pinned ones
   * first. They go when somebody needs the bytes, not because the manager is new.
   */
  SortedMap<String, Long> leftAlone(SortedMap<DatasetKey, DatasetState> states, long capacity) {
    SortedMap<String, Long> unknown = unknown(states.keySet());
    long left = capacity - listed(states);
    Map<Boolean, List<Map.Entry<String, Long>>> byPin =
        unknown.entrySet().stream()
            .collect(Collectors.partitioningBy(space -> !isPinned(space.getKey())));
    List<Map.Entry<String, Long>> spaces = new ArrayList<>();
    byPin.values().forEach(spaces::addAll);
    SortedMap<String, Long> kept = new TreeMap<>();
    for (Map.Entry<String, Long> space : spaces) {
      if (space.getValue() <= left) {
        left -= space.getValue();
        kept.put(space.getKey(), space.getValue());
      }
    }
    return kept;
  }

  /** Returns the bytes of all chunks that the plan lists. */
  static long listed(SortedMap<DatasetKey, DatasetState> states) {
    return states.values().stream().mapToLong(DatasetState::listedBytes).sum();
  }

  /** Returns the bytes of pinned chunks of data sets that are not known. */
  long pinnedBefore(Set<DatasetKey> known) {
    if (!seen.preferences().datasets().containsValue(CachePreference.PIN)) {
      return 0;
    }
    return unknown(known).entrySet().stream()
        .filter(space -> isPinned(space.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
