/**
 * The demo for programs that nobody changes: four readers at once, through a mount and an S3
 * endpoint, without a cache, with a plain shared cache and with access streams. Store, doors, cache
 * and readers are real; only the line to the store is slowed down.
 */
@NullMarked
package io.quiver.benchmarks.demo.transparent;

import org.jspecify.annotations.NullMarked;
