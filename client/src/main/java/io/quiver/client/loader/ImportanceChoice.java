package io.quiver.client.loader;

import io.quiver.core.importance.ImportanceMode;
import java.util.Optional;

/**
 * The choice to read by importance.
 *
 * @param mode how lists are drawn
 * @param pool the share of the data set that an epoch draws from; below 1 samples repeat more often
 * @param returnToUniform whether falling accuracy ends it, see {@link BatchLoader#reportValidation}
 * @param resume the state to go on from; empty to begin
 */
public record ImportanceChoice(
    ImportanceMode mode, double pool, boolean returnToUniform, Optional<ImportanceState> resume) {
  /** Returns the choice of a job that begins. */
  public static ImportanceChoice of(ImportanceMode mode) {
    return new ImportanceChoice(mode, 1, true, Optional.empty());
  }

  /** Returns the choice of a job that goes on from a state. */
  public ImportanceChoice resuming(ImportanceState state) {
    return new ImportanceChoice(mode, pool, returnToUniform, Optional.of(state));
  }
}
