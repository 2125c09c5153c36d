package io.quiver.manager;

import io.quiver.core.plan.DatasetKey;
import io.quiver.core.plan.Wish;
import io.quiver.core.plan.Wishes;
import org.jspecify.annotations.Nullable;

/**
 * What somebody wants of a data set, as it is sent. What is left out stays as it is.
 *
 * @param wish pin, never, or auto to take either back
 * @param quotaBytes most bytes of it; negative to take a quota back
 */
public record DatasetWish(@Nullable Wish wish, @Nullable Long quotaBytes) {
  Wishes applyTo(Wishes wishes, DatasetKey dataset) {
    Wishes changed = wish == null ? wishes : wishes.with(dataset, wish);
    return quotaBytes == null
        ? changed
        : changed.withQuota(dataset, quotaBytes < 0 ? null : quotaBytes);
  }
}
