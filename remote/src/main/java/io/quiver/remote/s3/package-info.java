/**
 * Reads data sets from S3 and compatible services through the AWS SDK. Makes single attempts;
 * {@link io.quiver.remote.retry.RetryingStore} adds retries.
 */
@NullMarked
package io.quiver.remote.s3;

import org.jspecify.annotations.NullMarked;
