/**
 * Measures the speed of jobs with and without the cache: by each job, and by probes where the cache
 * hides it (Quiver, §5.3).
 */
@NullMarked
package io.quiver.core.plan.probe;

import org.jspecify.annotations.NullMarked;
