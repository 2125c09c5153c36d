/**
 * Keepers: the policies that admit, rank and evict the blobs of one space under one quota.
 *
 * <p>A plan orders spaces as {@link io.quiver.core.keep.SpaceOrder}s; cache servers and the
 * simulator run the same keepers. A keeper is pure and single-threaded: it knows 64-bit
 * fingerprints and lengths, never bytes, hashes or time. Everything lies in primitive arrays, at
 * most 48 bytes for each blob kept, ghosts included.
 */
@NullMarked
package io.quiver.core.keep;

import org.jspecify.annotations.NullMarked;
