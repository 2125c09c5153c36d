/**
 * Keeping what was used last: the plain cache everything else is compared with. Pure: it only says
 * what stays and what goes.
 */
@NullMarked
package io.quiver.core.recency;

import org.jspecify.annotations.NullMarked;
