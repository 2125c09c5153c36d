/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.keep;

import org.jspecify.annotations.NullMarked;
