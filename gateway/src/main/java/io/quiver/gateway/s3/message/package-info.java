/**
 * Says what requests and answers of S3 look like: addresses, operations, conditions, errors,
 * escapes and documents. Knows neither keys nor stores.
 */
@NullMarked
package io.quiver.gateway.s3.message;

import org.jspecify.annotations.NullMarked;
