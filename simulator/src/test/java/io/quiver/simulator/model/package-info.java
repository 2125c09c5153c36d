/** Tests of the package of the same name. */
@NullMarked
package io.quiver.simulator.model;

import org.jspecify.annotations.NullMarked;
