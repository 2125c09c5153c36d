/** Training jobs: the real samplers, a loader that reads ahead, and a GPU. */
@NullMarked
package io.quiver.simulator.job;

import org.jspecify.annotations.NullMarked;
