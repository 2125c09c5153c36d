/**
 * Scenarios as data: the records a simulation is built from, scenario files, and their checks.
 * Every message about a file names its line and a remedy.
 */
@NullMarked
package io.quiver.simulator.scenario;

import org.jspecify.annotations.NullMarked;
