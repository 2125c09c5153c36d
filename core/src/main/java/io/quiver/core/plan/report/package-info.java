/**
 * Holds the reports of jobs and servers and the operators' preferences: everything a plan follows
 * from.
 */
@NullMarked
package io.quiver.core.plan.report;

import org.jspecify.annotations.NullMarked;
