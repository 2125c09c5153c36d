package io.quiver.gateway.mount;

import io.quiver.gateway.door.Door;
import io.quiver.gateway.door.OpenObject;
import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps files open for those who read them. The kernel does not say when a program opens or closes
 * a file, so a file is opened at the first read of each reader and closed at its end, or when it is
 * the one that was not read for the longest time. Each reader has a handle of its own, because the
 * door reads ahead by handle.
 */
final class OpenFiles implements AutoCloseable {
  private final Door door;
  private final int most;
  private final LinkedHashMap<Reader, OpenObject> open = new LinkedHashMap<>(16, 0.75f, true);

  /** One reader of one node. */
  private record Reader(long node, int process) {}

  OpenFiles(Door door, int most) {
    this.door = door;
    this.most = most;
  }

  /** Opens a file that no one keeps; the caller closes it. */
  OpenObject open(int process, RemoteObject object) throws IOException {
    OpenObject opened = door.open(object);
    opened.readBy(process);
    return opened;
  }

  /** Returns the file that is open for a reader, and opens it if need be. */
  OpenObject get(long node, int process, RemoteObject object) throws IOException {
    Reader reader = new Reader(node, process);
    synchronized (open) {
      OpenObject known = open.get(reader);
      if (known != null) {
        return known;
      }
    }
    OpenObject opened = open(process, object);
    OpenObject first;
    OpenObject surplus = null;
    synchronized (open) {
      OpenObject known = open.putIfAbsent(reader, opened);
      first = known == null ? opened : known;
      if (known != null) {
        surplus = opened;
      } else if (open.size() > most) {
        surplus = open.pollFirstEntry().getValue();
      }
    }
    if (surplus != null) {
      surplus.close();
    }
    return first;
  }

  /** Closes a reader's file. */
  void close(long node, int process) {
    OpenObject closed;
    synchronized (open) {
      closed = open.remove(new Reader(node, process));
    }
    if (closed != null) {
      closed.close();
    }
  }

  @Override
  public void close() {
    Map<Reader, OpenObject> all;
    synchronized (open) {
      all = new LinkedHashMap<>(open);
      open.clear();
    }
    all.values().forEach(OpenObject::close);
  }
}
