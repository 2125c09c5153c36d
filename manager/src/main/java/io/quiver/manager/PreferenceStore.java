package io.quiver.manager;

import io.quiver.core.plan.report.CachePreferences;
import java.io.IOException;

/**
 * Keeps the operators' preferences where they outlive the manager, which keeps nothing itself.
 * Calls come from one thread at a time.
 */
public interface PreferenceStore {
  /** Keeps nothing: preferences end with the manager. */
  PreferenceStore NONE =
      new PreferenceStore() {
        @Override
        public CachePreferences load() {
          return CachePreferences.NONE;
        }

        @Override
        public void save(CachePreferences preferences) {}
      };

  /**
   * Returns the preferences that were saved last; none before the first time.
   *
   * @throws IOException if there are some and they cannot be read
   */
  CachePreferences load() throws IOException;

  /** Replaces the preferences; those before stay if that fails. */
  void save(CachePreferences preferences) throws IOException;
}
