/** The cache servers, what lies on them, and the manager, whose cycle is the real one. */
@NullMarked
package io.quiver.simulator.cluster;

import org.jspecify.annotations.NullMarked;
