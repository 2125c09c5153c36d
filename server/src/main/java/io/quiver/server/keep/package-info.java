/** The keepers of a server's spaces: inserts are offered to them, reads touch them. */
@NullMarked
package io.quiver.server.keep;

import org.jspecify.annotations.NullMarked;
