/**
 * Plans the contents of the cache: observations of jobs and servers in, a plan out (Quiver, FAST
 * '20, §4.3 and §5.2, with pinned chunks beside the rotating ones). Level-triggered: every plan
 * follows from the latest observations and the plan before it, so nothing is lost with a message.
 * Pure: time is passed in.
 */
@NullMarked
package io.quiver.core.plan;

import org.jspecify.annotations.NullMarked;
