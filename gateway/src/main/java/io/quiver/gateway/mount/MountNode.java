package io.quiver.gateway.mount;

import io.quiver.gateway.mount.fuse.FuseFileSystem;
import io.quiver.gateway.mount.fuse.NodeAttributes;
import io.quiver.remote.RemoteObject;
import java.time.Instant;

/**
 * A folder, or one version of an object. A new version is a new node, so the kernel's cached bytes
 * of one version never meet those of another, and whoever has the old one open keeps it.
 */
final class MountNode {
  private final long number;
  private final String path;
  private final Resolved kind;

  /** Changed under the lock of the path in {@link NodeTable} only. */
  long lookups;

  MountNode(long number, String path, Resolved kind) {
    this.number = number;
    this.path = path;
    this.kind = kind;
  }

  long number() {
    return number;
  }

  /** Returns the object's name, or the folder's without a slash at its end; empty for the root. */
  String path() {
    return path;
  }

  Resolved kind() {
    return kind;
  }

  /** Returns what the names of everything in this folder begin with. */
  String prefix() {
    return path.isEmpty() ? "" : path + "/";
  }

  /** Returns the attributes; folders have the time of the mount, as stores know no folders. */
  NodeAttributes attributes(Instant mounted) {
    return switch (kind) {
      case Resolved.Folder _ -> new NodeAttributes(inode(path), true, 0, mounted);
      case Resolved.File(RemoteObject object) ->
          new NodeAttributes(inode(path), false, object.size(), object.modified());
    };
  }

  /** Returns true if this node stands for what a path leads to now. */
  boolean isStill(Resolved found) {
    return switch (found) {
      case Resolved.Folder _ -> kind instanceof Resolved.Folder;
      case Resolved.File file -> kind instanceof Resolved.File mine && mine.isSameVersion(file);
    };
  }

  /** Returns the number programs see: a hash of the path, so that it is stable over mounts. */
  static long inode(String path) {
    if (path.isEmpty()) {
      return FuseFileSystem.ROOT;
    }
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < path.length(); i++) {
      hash = (hash ^ path.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    hash &= Long.MAX_VALUE;
    return hash <= FuseFileSystem.ROOT ? hash + 2 : hash;
  }
}
