/**
 * Adds retries, resumption, deadlines and limits to services that make single attempts. Knows
 * nothing of any particular service, except how HTTP statuses and ranges are read.
 */
@NullMarked
package io.quiver.remote.retry;

import org.jspecify.annotations.NullMarked;
