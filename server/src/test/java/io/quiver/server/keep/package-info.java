/** Tests of the keepers of a server. */
@NullMarked
package io.quiver.server.keep;

import org.jspecify.annotations.NullMarked;
