/**
 * Clusters in virtual time. The samplers, the planner, the claims and the manager's cycle are the
 * ones that run live; only time, bytes and machines are simulated.
 */
@NullMarked
package io.quiver.simulator;

import org.jspecify.annotations.NullMarked;
