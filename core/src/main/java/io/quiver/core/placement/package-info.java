/** Assigns blobs to servers: a pure function of the membership. */
@NullMarked
package io.quiver.core.placement;

import org.jspecify.annotations.NullMarked;
