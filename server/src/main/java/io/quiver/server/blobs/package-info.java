/** The calls of a cache server, each a handler over the blob store. */
@NullMarked
package io.quiver.server.blobs;

import org.jspecify.annotations.NullMarked;
