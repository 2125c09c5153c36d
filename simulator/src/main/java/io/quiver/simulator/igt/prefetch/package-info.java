/**
 * Compares ways of reading ahead (IGTCache, §2.2 and §5.2): programs read files block by block
 * through a cache from a distant store, in virtual time. The recognition that is compared is the
 * doors' own.
 */
@NullMarked
package io.quiver.simulator.igt.prefetch;

import org.jspecify.annotations.NullMarked;
