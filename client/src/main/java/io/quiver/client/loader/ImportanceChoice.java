package io.quiver.client.loader;

import io.quiver.core.importance.ImportanceMode;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The choice to read by importance.
 *
 * @param mode how lists are drawn
 * @param pool the share of the data set that an epoch draws from; below 1 samples repeat more often
 * @param returnToUniform whether falling accuracy ends it, see {@link BatchLoader#reportValidation}
 * @param resume the state to go on from; empty to begin
 * @param shareScores the group with whose jobs it shares scores; empty for none. Importance depends
 *     on the model: only jobs that train the same one on the same data should name the same group
 */
public record ImportanceChoice(
    ImportanceMode mode,
    double pool,
    boolean returnToUniform,
    Optional<ImportanceState> resume,
    Optional<String> shareScores) {
  private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9._-]{1,100}");

  /** Refuses the name of a group that the manager would. */
  public ImportanceChoice {
    if (shareScores.filter(name -> !GROUP.matcher(name).matches()).isPresent()) {
      throw new IllegalArgumentException(
          "scores shared in a group named \"%s\"; use 1 to 100 letters, digits and . _ -"
              .formatted(shareScores.get()));
    }
  }

  /** Returns the choice of a job that begins. */
  public static ImportanceChoice of(ImportanceMode mode) {
    return new ImportanceChoice(mode, 1, true, Optional.empty(), Optional.empty());
  }

  /** Returns the choice of a job that goes on from a state. */
  public ImportanceChoice resuming(ImportanceState state) {
    return new ImportanceChoice(mode, pool, returnToUniform, Optional.of(state), shareScores);
  }

  /** Returns the choice of a job that samples by what all jobs of a group have learned. */
  public ImportanceChoice sharing(String group) {
    return new ImportanceChoice(mode, pool, returnToUniform, resume, Optional.of(group));
  }
}
