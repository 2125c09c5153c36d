package io.quiver.core.plan.review;

import io.quiver.core.keep.KeeperKind;
import io.quiver.core.space.SpaceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the cache for reads of unmodified programs, and the reason for them.
 *
 * @param stream which reads
 * @param space the space they have
 * @param keeper its policy; null while the plan gives it no bytes
 * @param quotaBytes most bytes of it
 * @param heldBytes how many bytes servers hold of it
 * @param bytes how long is what was read lately, as far as doors know
 * @param plannedBytes what it is to have on disk for what that is worth, or as a trial
 * @param spareBytes what its readers have beside on disk, because nobody has a better use for it
 * @param gpusSaved GPUs saved by what it has; null while unknown
 * @param doors who reads it
 * @param why the reason, in words
 */
public record StreamDiagnosis(
    String stream,
    SpaceId space,
    @Nullable KeeperKind keeper,
    long quotaBytes,
    long heldBytes,
    long bytes,
    long plannedBytes,
    long spareBytes,
    @Nullable Double gpusSaved,
    List<String> doors,
    String why) {
  /** Keeps its own copy. */
  public StreamDiagnosis {
    doors = List.copyOf(doors);
  }
}
