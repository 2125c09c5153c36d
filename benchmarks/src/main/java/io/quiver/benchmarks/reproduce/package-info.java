/** The papers' experiments, run in the simulator and told beside what was published. */
@NullMarked
package io.quiver.benchmarks.reproduce;

import org.jspecify.annotations.NullMarked;
