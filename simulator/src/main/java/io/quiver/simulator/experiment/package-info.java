/** The papers' experiments, as scenarios built in code and tables beside the published figures. */
@NullMarked
package io.quiver.simulator.experiment;

import org.jspecify.annotations.NullMarked;
