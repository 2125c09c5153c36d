/** The events a simulation tells its watchers. Watchers see facts, never the objects under test. */
@NullMarked
package io.quiver.simulator.trace;

import org.jspecify.annotations.NullMarked;
