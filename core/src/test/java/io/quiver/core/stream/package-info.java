/** Tests of what doors know of streams. */
@NullMarked
package io.quiver.core.stream;

import org.jspecify.annotations.NullMarked;
