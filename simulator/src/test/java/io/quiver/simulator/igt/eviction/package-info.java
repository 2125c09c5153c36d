/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.igt.eviction;

import org.jspecify.annotations.NullMarked;
