package io.quiver.core.plan.review;

import io.quiver.core.plan.allocate.DatasetKey;
import io.quiver.core.plan.report.CachePreference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The contents of the cache for a data set, and the reason for them.
 *
 * @param dataset which one
 * @param ranked whether this is about what jobs that read by importance keep of it
 * @param bytes how long it is
 * @param chunks how many chunks it is divided into
 * @param pinned how many of them stay
 * @param rotating how many come and go
 * @param loading how many of both are on their way
 * @param heldBytes about how long those are together
 * @param plannedBytes what it is to have for what that is worth, or as a trial
 * @param spareBytes what it has beside, because nobody has a better use for it
 * @param gpusSaved GPUs saved by what it has; null while unknown
 * @param preference what people want of it
 * @param quotaBytes most bytes of it; null for no bound
 * @param jobs who reads it
 * @param why the reason, in words
 */
public record DatasetDiagnosis(
    DatasetKey dataset,
    boolean ranked,
    long bytes,
    int chunks,
    int pinned,
    int rotating,
    int loading,
    long heldBytes,
    long plannedBytes,
    long spareBytes,
    @Nullable Double gpusSaved,
    CachePreference preference,
    @Nullable Long quotaBytes,
    List<String> jobs,
    String why) {
  /** Keeps its own copy. */
  public DatasetDiagnosis {
    jobs = List.copyOf(jobs);
  }
}
