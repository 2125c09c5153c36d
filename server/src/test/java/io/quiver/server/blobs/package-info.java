/** Tests over real sockets and of the parts below them. */
@NullMarked
package io.quiver.server.blobs;

import org.jspecify.annotations.NullMarked;
