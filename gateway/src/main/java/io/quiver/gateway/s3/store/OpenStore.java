package io.quiver.gateway.s3.store;

import io.quiver.gateway.door.Door;

/**
 * A store behind a bucket. Both parts are closed with it.
 *
 * @param door reads it through the cache
 * @param writes changes it
 */
public record OpenStore(Door door, ObjectWrites writes) implements AutoCloseable {
  @Override
  public void close() {
    writes.close();
    door.close();
  }
}
