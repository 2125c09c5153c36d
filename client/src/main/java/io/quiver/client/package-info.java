/**
 * Implements the Java client of the cache: batches are split by owning server, run in parallel and
 * merged in the order asked. A server that cannot be reached turns into misses, never into an
 * exception, because a training job goes on from the store; exceptions are for misuse.
 */
@NullMarked
package io.quiver.client;

import org.jspecify.annotations.NullMarked;
