/**
 * Plans for the access streams of unmodified programs: the demand of each, the space it gets and
 * the verdict that doors follow (IGTCache, §3.3). Nothing here divides the capacity; that is {@code
 * plan.allocate}.
 */
@NullMarked
package io.quiver.core.plan.stream;

import org.jspecify.annotations.NullMarked;
