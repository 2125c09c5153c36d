/**
 * Reads data sets from web servers: single objects and lists of URLs. Makes single attempts; {@link
 * io.quiver.remote.retry.RetryingStore} adds retries.
 */
@NullMarked
package io.quiver.remote.http;

import org.jspecify.annotations.NullMarked;
