/**
 * The judges of a run, one for each promise: exactly once, within capacity, no read lost. They
 * share no code with what they judge and see nothing but the trace.
 */
@NullMarked
package io.quiver.simulator.check;

import org.jspecify.annotations.NullMarked;
