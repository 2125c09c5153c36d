/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.engine;

import org.jspecify.annotations.NullMarked;
