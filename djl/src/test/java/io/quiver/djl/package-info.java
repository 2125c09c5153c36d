/** The data set on a real engine, a real loader and a real cluster. */
@NullMarked
package io.quiver.djl;

import org.jspecify.annotations.NullMarked;
