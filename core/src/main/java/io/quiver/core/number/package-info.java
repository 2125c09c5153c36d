/** Arithmetic that comes out the same in every language: integers only. */
@NullMarked
package io.quiver.core.number;

import org.jspecify.annotations.NullMarked;
