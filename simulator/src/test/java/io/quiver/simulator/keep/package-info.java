/** Tests of the caches that studies compare with. */
@NullMarked
package io.quiver.simulator.keep;

import org.jspecify.annotations.NullMarked;
