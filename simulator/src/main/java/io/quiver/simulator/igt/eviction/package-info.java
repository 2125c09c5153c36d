/**
 * Compares rules of eviction by the share of reads that a cache answers (IGTCache, §2.2 and §5.3):
 * traces of reads pass through caches of several sizes, without time.
 */
@NullMarked
package io.quiver.simulator.igt.eviction;

import org.jspecify.annotations.NullMarked;
