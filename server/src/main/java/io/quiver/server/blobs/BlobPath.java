package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.protocol.Wire;
import org.jspecify.annotations.Nullable;

/** What the paths of single blobs and spaces name. */
final class BlobPath {
  private BlobPath() {}

  /** The hash in {@code /v1/blobs/{hex}}. */
  static ContentHash hash(Exchange exchange) throws Refusal {
    try {
      return ContentHash.fromHex(exchange.path().substring(Wire.BLOBS_PATH.length() + 1));
    } catch (IllegalArgumentException e) {
      throw Refusal.of(
          400, String.valueOf(e.getMessage()), "name the blob by the SHA-256 of its bytes");
    }
  }

  /** The name in {@code /v1/spaces/{name}}. */
  static SpaceId space(Exchange exchange) throws Refusal {
    return space(exchange.path().substring(Wire.SPACES_PATH.length() + 1));
  }

  /** The space in the query, or the default one. */
  static SpaceId spaceParameter(Exchange exchange) throws Refusal {
    @Nullable String name = exchange.parameter("space");
    return name == null ? SpaceId.DEFAULT : space(name);
  }

  private static SpaceId space(String name) throws Refusal {
    try {
      return new SpaceId(name);
    } catch (IllegalArgumentException e) {
      throw Refusal.of(400, String.valueOf(e.getMessage()), "choose another name");
    }
  }
}
