/** Tests of the package of the same name. */
@NullMarked
package io.quiver.benchmarks.reproduce;

import org.jspecify.annotations.NullMarked;
