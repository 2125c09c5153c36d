/**
 * The process that {@code quiver up} runs: cache servers on this machine's disks and a status page
 * for all of them. The cache manager joins here as one more part of a {@link Node}.
 */
@NullMarked
package io.quiver.node;

import org.jspecify.annotations.NullMarked;
