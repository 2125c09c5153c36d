package io.quiver.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The content of a space.
 *
 * @param space its name
 * @param blobs how many blobs it owns
 * @param chargedBytes the room it is charged for
 * @param limitBytes its bound, or null without one
 */
public record SpaceState(String space, long blobs, long chargedBytes, @Nullable Long limitBytes) {

  static List<SpaceState> list(JsonNode document) {
    List<SpaceState> spaces = new ArrayList<>();
    for (JsonNode each : document.path("spaces")) {
      JsonNode limit = each.path("limit_bytes");
      spaces.add(
          new SpaceState(
              each.path("space").asText(),
              each.path("blobs").asLong(),
              each.path("charged_bytes").asLong(),
              limit.isNumber() ? limit.asLong() : null));
    }
    return spaces;
  }

  /** The spaces of several servers, those of one name added up. */
  static List<SpaceState> merge(List<ServerState> servers) {
    TreeMap<String, SpaceState> byName = new TreeMap<>();
    for (ServerState server : servers) {
      server.spaces().forEach(space -> byName.merge(space.space(), space, SpaceState::plus));
    }
    return List.copyOf(byName.values());
  }

  private SpaceState plus(SpaceState other) {
    Long limit =
        limitBytes == null || other.limitBytes == null
            ? null
            : Long.valueOf(limitBytes + other.limitBytes);
    return new SpaceState(space, blobs + other.blobs, chargedBytes + other.chargedBytes, limit);
  }
}
