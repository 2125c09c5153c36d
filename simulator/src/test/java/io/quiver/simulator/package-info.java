/** Tests of whole simulations. */
@NullMarked
package io.quiver.simulator;

import org.jspecify.annotations.NullMarked;
