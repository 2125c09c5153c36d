package io.quiver.core.plan.report;

import io.quiver.core.bound.Bounds;
import io.quiver.core.hash.ContentHash;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A job's part in a group that shares scores of samples: the column that it offers the others, and
 * whether it wants to hear of theirs. The columns themselves are blobs in the cache.
 *
 * @param group its name, chosen by users; the ranks of one job share under a name of their own
 * @param member who offers, unique in the group
 * @param round the epoch that began when the scores were told
 * @param column the hash of the column, which is a secret like every hash; null before the first
 * @param listens whether the job is told the columns of the others
 */
public record ScoreOffer(
    String group, String member, int round, @Nullable ContentHash column, boolean listens) {
  /** Most groups that one process has a part in. */
  public static final int MAX_GROUPS = 4;

  private static final Pattern GROUP = Pattern.compile("@?[A-Za-z0-9._-]{1,120}");

  /** Refuses what cannot be. */
  public ScoreOffer {
    Bounds.matching(
        "group in scores", group, GROUP, "1 to 120 letters, digits and . _ -, perhaps after @");
    Bounds.name("member in scores", member);
    Bounds.whole("round in scores", round, 0, Bounds.MAX_BATCHES);
  }

  /** Returns a copy for everybody to see: who knows a hash may read the blob. */
  ScoreOffer withoutSecret() {
    return new ScoreOffer(group, member, round, null, listens);
  }
}
