/**
 * Receives the bytes that clients send and checks them while they stream: signed chunks, lengths
 * and checksums.
 */
@NullMarked
package io.quiver.gateway.s3.payload;

import org.jspecify.annotations.NullMarked;
