/**
 * What the demo reads: a made-up data set that looks like a folder of images, and a store that is
 * as slow as a shared bucket and counts what is read from it.
 */
@NullMarked
package io.quiver.benchmarks.demo.data;

import org.jspecify.annotations.NullMarked;
