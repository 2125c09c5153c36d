/** The asking side: the load generator in C, and the Java client driven the same way. */
@NullMarked
package io.quiver.benchmarks.load;

import org.jspecify.annotations.NullMarked;
