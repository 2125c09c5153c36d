package io.quiver.gateway.mount.fuse;

import java.time.Instant;

/**
 * The attributes of a file or folder.
 *
 * @param inode the number programs see
 * @param folder true for a folder
 * @param size its length in bytes
 * @param modified the time of its last change
 */
public record NodeAttributes(long inode, boolean folder, long size, Instant modified) {}
