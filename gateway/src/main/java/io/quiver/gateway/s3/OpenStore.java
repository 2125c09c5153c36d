package io.quiver.gateway.s3;

import io.quiver.gateway.door.Door;

/**
 * A store behind a bucket.
 *
 * @param door reads it through the cache, and is closed with it
 */
public record OpenStore(Door door) implements AutoCloseable {
  @Override
  public void close() {
    door.close();
  }
}
