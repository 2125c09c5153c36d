/**
 * A reading job as pure state machines: events go in (answers of the cache, ended reads, plans,
 * time), decisions come out (ask, claim, fetch, wait, deliver, report). The client's loader drives
 * them with threads and sockets, the simulator with its event queue; the Python client follows the
 * same rules and is held to them by {@code test-vectors/engine}.
 *
 * <p>Every class here is for one thread at a time and takes the time as nanoseconds of any steady
 * clock. Items are numbers. Where a data set is too large to name its items, several items may
 * share a number.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.core.engine;
