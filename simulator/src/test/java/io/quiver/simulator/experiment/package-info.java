/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.experiment;

import org.jspecify.annotations.NullMarked;
