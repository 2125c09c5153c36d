/** Slows a store down to the speed of a shared bucket, for demos and measurements. */
@NullMarked
package io.quiver.remote.throttle;

import org.jspecify.annotations.NullMarked;
