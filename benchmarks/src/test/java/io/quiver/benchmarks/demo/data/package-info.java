/** Tests of the demo. */
@NullMarked
package io.quiver.benchmarks.demo.data;

import org.jspecify.annotations.NullMarked;
