/** Tests of the demo. */
@NullMarked
package io.quiver.benchmarks.demo.report;

import org.jspecify.annotations.NullMarked;
