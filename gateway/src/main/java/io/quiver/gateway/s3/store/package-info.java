/**
 * Holds what stands behind the buckets: their doors, and the ways in which stores of each kind are
 * written to. Knows nothing of requests.
 */
@NullMarked
package io.quiver.gateway.s3.store;

import org.jspecify.annotations.NullMarked;
