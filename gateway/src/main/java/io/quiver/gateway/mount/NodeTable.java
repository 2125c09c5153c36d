package io.quiver.gateway.mount;

import io.quiver.gateway.mount.fuse.FuseErrno;
import io.quiver.gateway.mount.fuse.FuseFailure;
import io.quiver.gateway.mount.fuse.FuseFileSystem;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The nodes the kernel knows, by number and by path. A node stays until the kernel has given back
 * all lookups; the kernel does so when its own memory is short, so the table is as large as the
 * kernel's.
 */
final class NodeTable {
  private final ConcurrentHashMap<Long, MountNode> byNumber = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, MountNode> byPath = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong(FuseFileSystem.ROOT);

  NodeTable() {
    byNumber.put(FuseFileSystem.ROOT, new MountNode(FuseFileSystem.ROOT, "", Resolved.FOLDER));
  }

  /** Returns the node of a number. */
  MountNode get(long number) throws FuseFailure {
    MountNode node = byNumber.get(number);
    if (node == null) {
      throw new FuseFailure(FuseErrno.ESTALE);
    }
    return node;
  }

  /** Returns the node that a path led to last, or null if the kernel knows none. */
  @Nullable MountNode find(String path) {
    return path.isEmpty() ? byNumber.get(FuseFileSystem.ROOT) : byPath.get(path);
  }

  /** Returns the node of what a path leads to now, and counts a lookup of it. */
  MountNode lookUp(String path, Resolved found) {
    MountNode[] result = new MountNode[1];
    byPath.compute(
        path,
        (key, known) -> {
          MountNode node = known;
          if (node == null || !node.isStill(found)) {
            node = new MountNode(numbers.incrementAndGet(), key, found);
            byNumber.put(node.number(), node);
          }
          node.lookups++;
          result[0] = node;
          return node;
        });
    return result[0];
  }

  /** Takes back lookups of a node; returns true if the node is gone now. */
  boolean forget(long number, long lookups) {
    MountNode node = byNumber.get(number);
    if (node == null || number == FuseFileSystem.ROOT) {
      return false;
    }
    boolean[] gone = new boolean[1];
    byPath.compute(
        node.path(),
        (path, current) -> {
          node.lookups -= lookups;
          gone[0] = node.lookups <= 0;
          if (gone[0]) {
            byNumber.remove(number);
          }
          return gone[0] && current == node ? null : current;
        });
    return gone[0];
  }

  /** Returns the number of nodes. */
  int size() {
    return byNumber.size();
  }
}
