/** The bounds of values that come from others, with one wording for what is out of them. */
@NullMarked
package io.quiver.core.bound;

import org.jspecify.annotations.NullMarked;
