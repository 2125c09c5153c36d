/** The results of a run, as plain records that can be written as JSON. */
@NullMarked
package io.quiver.simulator.result;

import org.jspecify.annotations.NullMarked;
