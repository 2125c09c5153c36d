package io.quiver.client.loader;

import java.nio.ByteBuffer;

/**
 * An item read from the store.
 *
 * @param bytes its bytes from position to limit; nobody changes them any more
 * @param genuine whether they are those the digest names; others never go into the cache
 */
record Fetched(ByteBuffer bytes, boolean genuine) {}
