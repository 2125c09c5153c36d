/** Replays importance sampling through caches of every kind, without a cluster (SHADE, §6). */
@NullMarked
package io.quiver.simulator.shade;

import org.jspecify.annotations.NullMarked;
