/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.scenario;

import org.jspecify.annotations.NullMarked;
