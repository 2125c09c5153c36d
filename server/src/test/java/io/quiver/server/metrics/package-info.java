/** Tests over real sockets and of the parts below them. */
@NullMarked
package io.quiver.server.metrics;

import org.jspecify.annotations.NullMarked;
