/** Spaces: sets of blobs that are admitted, kept and dropped by one policy under one quota. */
@NullMarked
package io.quiver.core.space;

import org.jspecify.annotations.NullMarked;
