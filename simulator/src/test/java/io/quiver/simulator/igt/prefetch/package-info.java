/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.igt.prefetch;

import org.jspecify.annotations.NullMarked;
