/** Wording that every part of the program shares in what it tells people. */
@NullMarked
package io.quiver.core.text;

import org.jspecify.annotations.NullMarked;
