/** Measurements besides warm serving: cold reads, inserts, digests, the index, latency. */
@NullMarked
package io.quiver.benchmarks.section;

import org.jspecify.annotations.NullMarked;
