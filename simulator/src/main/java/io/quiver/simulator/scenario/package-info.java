/** Scenarios as data: scenario files, their checks and their messages. */
@NullMarked
package io.quiver.simulator.scenario;

import org.jspecify.annotations.NullMarked;
