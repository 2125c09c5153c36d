/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.check;

import org.jspecify.annotations.NullMarked;
