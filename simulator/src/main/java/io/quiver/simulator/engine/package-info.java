/** Virtual time: a clock, a queue of events and seeded randomness. Knows nothing of caches. */
@NullMarked
package io.quiver.simulator.engine;

import org.jspecify.annotations.NullMarked;
