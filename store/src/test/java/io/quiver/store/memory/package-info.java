/** A blob store in memory: the reference model the real one is tested against. */
@NullMarked
package io.quiver.store.memory;

import org.jspecify.annotations.NullMarked;
