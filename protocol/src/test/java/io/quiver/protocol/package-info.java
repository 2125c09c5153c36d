/** Tests of the wire contract. */
@NullMarked
package io.quiver.protocol;

import org.jspecify.annotations.NullMarked;
