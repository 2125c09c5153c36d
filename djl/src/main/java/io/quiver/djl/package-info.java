/**
 * A data set for Deep Java Library: epochs of Quiver's loader as DJL's batches. Only the client is
 * used here; the engine is whichever the program has. What the example needs besides stays in its
 * own package.
 */
@NullMarked
package io.quiver.djl;

import org.jspecify.annotations.NullMarked;
