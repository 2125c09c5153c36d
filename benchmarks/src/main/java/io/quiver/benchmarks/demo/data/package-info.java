/**
 * Provides the demo's data: a made-up data set that looks like a folder of images, and a store as
 * slow as a shared bucket that counts its reads.
 */
@NullMarked
package io.quiver.benchmarks.demo.data;

import org.jspecify.annotations.NullMarked;
