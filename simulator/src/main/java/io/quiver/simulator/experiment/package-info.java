/**
 * The papers' experiments, as scenarios built in code and tables beside the published figures. Only
 * what the papers state is calibrated; the rest follows from the mechanisms.
 */
@NullMarked
package io.quiver.simulator.experiment;

import org.jspecify.annotations.NullMarked;
