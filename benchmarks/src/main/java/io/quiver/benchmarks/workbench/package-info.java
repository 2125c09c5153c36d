/**
 * Provides what every measurement needs: a temporary folder, processes that end with the run,
 * compiled C programs and sets of blobs. Nothing here knows what is measured.
 */
@NullMarked
package io.quiver.benchmarks.workbench;

import org.jspecify.annotations.NullMarked;
