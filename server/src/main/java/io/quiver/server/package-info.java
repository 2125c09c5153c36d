/** The cache server: HTTP/1.1 over a blob store. */
@NullMarked
package io.quiver.server;

import org.jspecify.annotations.NullMarked;
