/** Answers the requests that change nothing: objects, heads, listings and buckets. */
@NullMarked
package io.quiver.gateway.s3.read;

import org.jspecify.annotations.NullMarked;
