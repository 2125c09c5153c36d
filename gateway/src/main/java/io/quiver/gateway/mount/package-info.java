/** The mount: a {@link io.quiver.gateway.door.Door} as a read-only folder, through FUSE 3. */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.mount;
