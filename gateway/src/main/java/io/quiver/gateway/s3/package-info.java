/**
 * An S3 endpoint in front of stores: its server, settings and counters, and the way of a request
 * through them. Requests are understood in {@code message}, their makers recognised in {@code
 * signature}, their bytes checked in {@code payload}; {@code read} and {@code write} answer them
 * from what is in {@code store}.
 */
@NullMarked
package io.quiver.gateway.s3;

import org.jspecify.annotations.NullMarked;
