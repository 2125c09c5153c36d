/** Judges of a run that share no code with what they judge: they see the trace alone. */
@NullMarked
package io.quiver.simulator.check;

import org.jspecify.annotations.NullMarked;
