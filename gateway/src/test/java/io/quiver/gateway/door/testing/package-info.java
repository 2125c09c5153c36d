/** The door's test kit: stores that are watched, doors over real cache servers. */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.door.testing;
