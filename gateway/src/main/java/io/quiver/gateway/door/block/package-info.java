/**
 * Blocks of objects in the door's memory: found in the cache or read from the store, each once at a
 * time, and shared by all readers while their bytes arrive. Knows nothing of freshness.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.door.block;
