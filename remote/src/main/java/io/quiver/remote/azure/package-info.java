/**
 * Reads data sets from Azure Blob Storage through its SDK. Makes single attempts; {@link
 * io.quiver.remote.retry.RetryingStore} adds retries.
 */
@NullMarked
package io.quiver.remote.azure;

import org.jspecify.annotations.NullMarked;
