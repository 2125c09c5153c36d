/**
 * A door's way to the cache servers: what they hold under which name, and what to do when they do
 * not answer. Nothing here reads the store.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.door.cache;
