/**
 * What jobs and servers report to the manager, and what people prefer: everything a plan follows
 * from.
 */
@NullMarked
package io.quiver.core.plan.report;

import org.jspecify.annotations.NullMarked;
