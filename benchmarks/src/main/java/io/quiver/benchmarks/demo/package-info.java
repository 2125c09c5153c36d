/**
 * The demo: the same training jobs without a cache, with a plain shared cache and with Quiver, on
 * one machine, with nothing else installed. Everything but the GPU is real.
 */
@NullMarked
package io.quiver.benchmarks.demo;

import org.jspecify.annotations.NullMarked;
