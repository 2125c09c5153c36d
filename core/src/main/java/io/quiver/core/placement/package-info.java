/** Which server owns which blob: a pure function of the membership. */
@NullMarked
package io.quiver.core.placement;

import org.jspecify.annotations.NullMarked;
