/** The example, run as its users run it. */
@NullMarked
package io.quiver.djl.example;

import org.jspecify.annotations.NullMarked;
