/**
 * Watches how programs read through a door and acts on it: passes reads and listings to {@link
 * io.quiver.core.stream.tree.AccessStreams} off the read path, reads ahead what that advises, and
 * says into which space each block goes.
 */
@NullMarked
package io.quiver.gateway.door.stream;

import org.jspecify.annotations.NullMarked;
