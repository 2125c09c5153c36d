package io.quiver.client;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;

/**
 * A blob to insert.
 *
 * @param hash its name; the server recomputes it
 * @param space where it shall belong
 * @param content the bytes between position and limit, which do not move; they must not change
 *     until the put returns
 */
public record Blob(ContentHash hash, SpaceId space, ByteBuffer content) {
  /** Returns a blob of the default space, named by its own bytes. */
  public static Blob of(ByteBuffer content) {
    return new Blob(ContentHash.ofContent(content), SpaceId.DEFAULT, content);
  }
}
