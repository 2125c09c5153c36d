/**
 * Finds out who makes a request and what they may do: access keys, their grants, and signatures of
 * version 4.
 */
@NullMarked
package io.quiver.gateway.s3.signature;

import org.jspecify.annotations.NullMarked;
