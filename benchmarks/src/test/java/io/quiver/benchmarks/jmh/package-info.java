/** Micro benchmarks of the inner loops. Run by hand, never by the build: see docs/benchmarks.md. */
@NullMarked
package io.quiver.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
