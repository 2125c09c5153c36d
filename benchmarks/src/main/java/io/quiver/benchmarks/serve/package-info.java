/**
 * How fast warm batches are served, Quiver beside other servers: everything here speaks to real
 * processes over loopback and measures them in turns on the same blobs in the same order.
 */
@NullMarked
package io.quiver.benchmarks.serve;

import org.jspecify.annotations.NullMarked;
