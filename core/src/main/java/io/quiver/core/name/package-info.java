/**
 * Names of blocks whose hash is not known yet. A door can name a block it has never read; servers
 * say which blob a name is bound to.
 */
@NullMarked
package io.quiver.core.name;

import org.jspecify.annotations.NullMarked;
