/**
 * Objects read through the cache: details and listings that stay fresh, blocks found by name, and
 * memory for what is read ahead. Knows nothing of the protocol its callers speak.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.door;
