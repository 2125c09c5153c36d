/** Tests of this package. */
@NullMarked
package io.quiver.node;

import org.jspecify.annotations.NullMarked;
