/** The results of a run, collected from its trace, as plain records that can be written as JSON. */
@NullMarked
package io.quiver.simulator.result;

import org.jspecify.annotations.NullMarked;
