/** Running the demo's jobs against a cache and writing down what happened, moment by moment. */
@NullMarked
package io.quiver.benchmarks.demo.run;

import org.jspecify.annotations.NullMarked;
