/** Tests over real sockets and of the parts below them. */
@NullMarked
package io.quiver.http;

import org.jspecify.annotations.NullMarked;
