/** Tests of the study of a cache that programs of all kinds share. */
@NullMarked
package io.quiver.simulator.igt;

import org.jspecify.annotations.NullMarked;
