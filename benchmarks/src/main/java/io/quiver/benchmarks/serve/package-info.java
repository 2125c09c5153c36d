/**
 * Measures the serving of warm batches, Quiver beside other servers. Everything here speaks to real
 * processes over loopback and measures them in turns on the same blobs in the same order.
 */
@NullMarked
package io.quiver.benchmarks.serve;

import org.jspecify.annotations.NullMarked;
