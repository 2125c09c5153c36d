/** A blob store that misbehaves on purpose, for tests of everything that stands on one. */
@NullMarked
package io.quiver.store.faulty;

import org.jspecify.annotations.NullMarked;
