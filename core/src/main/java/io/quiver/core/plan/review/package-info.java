/**
 * Explains plans to people: what is held and why, what the cache does for each job, and what
 * another cache size would give.
 */
@NullMarked
package io.quiver.core.plan.review;

import org.jspecify.annotations.NullMarked;
