/**
 * How fast jobs are with and without the cache: measured by each job, and probed where the cache
 * hides it (Quiver, §5.3).
 */
@NullMarked
package io.quiver.core.plan.probe;

import org.jspecify.annotations.NullMarked;
