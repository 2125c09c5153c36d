package io.quiver.client;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.keep.PriorityScales;
import io.quiver.core.space.SpaceId;
import java.nio.ByteBuffer;

/**
 * A blob to insert.
 *
 * @param hash its name; the server recomputes it
 * @param space where it shall belong
 * @param content the bytes between position and limit, which do not move; they must not change
 *     until the put returns
 * @param priority its priority if the space is ranked, 0 to {@link PriorityScales#MAX_PRIORITY}: 0
 *     for none, a score, or {@link PriorityScales#ofNextUse}
 */
public record Blob(ContentHash hash, SpaceId space, ByteBuffer content, long priority) {
  /** Checks the priority. */
  public Blob {
    PriorityScales.requirePriority(priority);
  }

  /** Makes a blob without a priority. */
  public Blob(ContentHash hash, SpaceId space, ByteBuffer content) {
    this(hash, space, content, 0);
  }

  /** Returns a blob of the default space, named by its own bytes. */
  public static Blob of(ByteBuffer content) {
    return new Blob(ContentHash.ofContent(content), SpaceId.DEFAULT, content);
  }
}
