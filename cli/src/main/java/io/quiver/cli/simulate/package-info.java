/** A simulation of somebody's scenario, as people and scripts are told of it. */
@NullMarked
package io.quiver.cli.simulate;

import org.jspecify.annotations.NullMarked;
