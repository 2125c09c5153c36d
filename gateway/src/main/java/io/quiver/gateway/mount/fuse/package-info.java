/**
 * The kernel's side of a mount: messages of FUSE 7 over {@code /dev/fuse}, and the helper that
 * mounts. Knows file systems only as {@link io.quiver.gateway.mount.fuse.FuseFileSystem}.
 */
@org.jspecify.annotations.NullMarked
package io.quiver.gateway.mount.fuse;
