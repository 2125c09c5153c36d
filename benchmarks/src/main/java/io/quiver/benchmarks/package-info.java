/** Side-by-side measurements against peers on one machine. */
@NullMarked
package io.quiver.benchmarks;

import org.jspecify.annotations.NullMarked;
