/**
 * Divides the cache by its worth: how fast jobs would be with how much of their data set in the
 * cache, and how to divide the budget of a cluster by the GPU time it saves.
 */
@NullMarked
package io.quiver.core.plan.allocate;

import org.jspecify.annotations.NullMarked;
