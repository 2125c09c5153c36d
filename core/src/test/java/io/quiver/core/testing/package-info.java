/** What tests of several modules share. */
@NullMarked
package io.quiver.core.testing;

import org.jspecify.annotations.NullMarked;
