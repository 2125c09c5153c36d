package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import org.jspecify.annotations.Nullable;

/** Reads the names of single blobs and spaces from requests. */
final class BlobPath {
  private BlobPath() {}

  /** Returns the hash in {@code /v1/blobs/{hash}}. */
  static ContentHash hash(Exchange exchange) throws Refusal {
    try {
      return ContentHash.fromHex(exchange.pathValue("hash"));
    } catch (IllegalArgumentException e) {
      throw Refusal.of(
          400, String.valueOf(e.getMessage()), "name the blob by the SHA-256 of its bytes");
    }
  }

  /** Returns the name in {@code /v1/spaces/{space}}. */
  static SpaceId space(Exchange exchange) throws Refusal {
    return space(exchange.pathValue("space"));
  }

  /** Returns the space in the query, or the default one. */
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
