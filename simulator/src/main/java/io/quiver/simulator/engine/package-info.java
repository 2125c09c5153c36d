/**
 * Virtual time: a clock, a queue of events and seeded randomness. Knows nothing of caches, and
 * nothing in the simulator takes time or chance from anywhere else.
 */
@NullMarked
package io.quiver.simulator.engine;

import org.jspecify.annotations.NullMarked;
