/**
 * The tree of streams of one door (IGTCache, §3.1), and what follows from the patterns in it: what
 * to read ahead (§3.3), how long a stream lives, and which streams may own a quota. One thread uses
 * it, through {@link io.quiver.core.stream.tree.AccessStreams}.
 */
@NullMarked
package io.quiver.core.stream.tree;

import org.jspecify.annotations.NullMarked;
