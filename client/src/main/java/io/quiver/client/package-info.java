/** The Java client of the cache. */
@NullMarked
package io.quiver.client;

import org.jspecify.annotations.NullMarked;
