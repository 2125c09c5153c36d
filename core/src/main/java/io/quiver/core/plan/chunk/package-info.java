/**
 * Chunks of data sets in the cache: which are pinned, which rotate, and when a rotating one moves
 * on (Quiver, FAST '20, §4.3, with pinned chunks beside the rotating ones).
 */
@NullMarked
package io.quiver.core.plan.chunk;

import org.jspecify.annotations.NullMarked;
