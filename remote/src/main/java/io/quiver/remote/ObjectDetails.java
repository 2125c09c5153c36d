package io.quiver.remote;

import java.util.Map;

/**
 * One object with what its owner said of it.
 *
 * @param object its name, size, version and time of change
 * @param contentType its media type; empty where the store does not say
 * @param metadata the user's own keys and values; keys are lower case
 */
public record ObjectDetails(RemoteObject object, String contentType, Map<String, String> metadata) {
  /** Keeps its own copy of the metadata. */
  public ObjectDetails {
    metadata = Map.copyOf(metadata);
  }
}
