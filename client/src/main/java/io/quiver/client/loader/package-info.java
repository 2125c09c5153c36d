/**
 * Reads the batches of a training job: the epoch sampler of the core, the cache servers and the
 * job's own store put together. Every item is delivered exactly once per epoch, from the cache
 * where it is there, from the store where it is not; no trouble with the cache or its manager ever
 * fails a read.
 */
@NullMarked
package io.quiver.client.loader;

import org.jspecify.annotations.NullMarked;
