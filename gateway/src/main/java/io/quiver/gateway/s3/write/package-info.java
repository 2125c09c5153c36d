/**
 * Answers the requests that store, copy and delete objects, whole or in parts, and makes them
 * visible through the door at once.
 */
@NullMarked
package io.quiver.gateway.s3.write;

import org.jspecify.annotations.NullMarked;
