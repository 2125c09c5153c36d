/**
 * A cluster in virtual time in which programs of all kinds read one slow store through one cache
 * (IGTCache, §5): the workloads, the link, caches to compare with, and the doors' and servers' own
 * classes between them.
 */
@NullMarked
package io.quiver.simulator.igt;

import org.jspecify.annotations.NullMarked;
