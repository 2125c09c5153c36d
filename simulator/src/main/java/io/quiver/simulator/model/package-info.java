/** The parts that take time: links with a bandwidth, stores, machines and GPUs. */
@NullMarked
package io.quiver.simulator.model;

import org.jspecify.annotations.NullMarked;
