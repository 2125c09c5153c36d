/** Names of blobs. A name is a capability: nothing here prints one whole unless asked to. */
@NullMarked
package io.quiver.core.hash;

import org.jspecify.annotations.NullMarked;
