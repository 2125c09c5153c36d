/** Moves a server toward the spaces that plans order. */
@NullMarked
package io.quiver.server.plan;

import org.jspecify.annotations.NullMarked;
