/** Tests of the demo. */
@NullMarked
package io.quiver.benchmarks.demo.run;

import org.jspecify.annotations.NullMarked;
