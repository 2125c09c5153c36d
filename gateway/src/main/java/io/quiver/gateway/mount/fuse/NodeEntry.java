package io.quiver.gateway.mount.fuse;

/**
 * A node that a name leads to.
 *
 * @param node the number the kernel asks for it by from now on
 * @param attributes its attributes; a node never changes them
 * @param validNanos how long the kernel may take the name to lead here
 */
public record NodeEntry(long node, NodeAttributes attributes, long validNanos) {}
