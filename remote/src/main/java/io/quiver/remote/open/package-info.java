/** Opens remote stores by their address: the one place that knows every kind of store. */
@NullMarked
package io.quiver.remote.open;

import org.jspecify.annotations.NullMarked;
