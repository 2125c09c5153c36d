/**
 * The {@code quiver} command: where it starts and how its commands hang together.
 *
 * <p>The commands themselves are in {@code command}, what they print with in {@code console}, and
 * the process that {@code quiver up} runs in {@code node}.
 */
@NullMarked
package io.quiver.cli;

import org.jspecify.annotations.NullMarked;
