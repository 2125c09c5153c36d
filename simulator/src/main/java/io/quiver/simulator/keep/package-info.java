/**
 * Caches that studies compare with: each is one rule of eviction over items of known lengths,
 * without time, links or servers.
 */
@NullMarked
package io.quiver.simulator.keep;

import org.jspecify.annotations.NullMarked;
