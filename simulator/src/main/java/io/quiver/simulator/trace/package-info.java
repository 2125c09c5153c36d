/**
 * The events that a simulation tells its watchers. Watchers see facts, never the objects under
 * test, and cannot change a run.
 */
@NullMarked
package io.quiver.simulator.trace;

import org.jspecify.annotations.NullMarked;
