package io.quiver.manager;

import io.quiver.core.plan.Wishes;

/**
 * What the data sets of a user may have together, as it is sent.
 *
 * @param quotaBytes most bytes; negative to take a quota back
 */
public record UserQuota(long quotaBytes) {
  Wishes applyTo(Wishes wishes, String user) {
    return wishes.withUserQuota(user, quotaBytes < 0 ? null : quotaBytes);
  }
}
