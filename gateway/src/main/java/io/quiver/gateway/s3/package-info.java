/**
 * The S3 endpoint: requests are authenticated, translated to calls of a {@link
 * io.quiver.gateway.door.Door}, and writes are passed on to the store.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.s3;
