/** Tests of the tree of streams and of what it reads ahead. */
@NullMarked
package io.quiver.core.stream.tree;

import org.jspecify.annotations.NullMarked;
