/**
 * The cache servers, the cached parts of data sets, and the manager, whose cycle is the real one.
 * Servers carry out the orders of plans through the real keepers and claims; nothing here decides
 * what is cached.
 */
@NullMarked
package io.quiver.simulator.cluster;

import org.jspecify.annotations.NullMarked;
