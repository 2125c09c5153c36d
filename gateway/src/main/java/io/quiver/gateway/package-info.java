/**
 * Doors of the cache for programs that nobody changes. {@code door} reads objects through the
 * cache; {@code s3} and {@code mount} show a door as an S3 endpoint and as a folder. Nothing here
 * decides what the cache keeps.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway;
