package io.quiver.gateway.mount;

import io.quiver.remote.RemoteObject;

/** The thing that a path leads to. */
sealed interface Resolved {
  /** A folder: some object's name begins with the path and a slash. */
  record Folder() implements Resolved {}

  /** A file: an object has the path as its name. */
  record File(RemoteObject object) implements Resolved {
    /** Returns true if both are one version of an object. */
    boolean isSameVersion(File other) {
      RemoteObject mine = object;
      RemoteObject theirs = other.object;
      return mine.size() == theirs.size()
          && mine.version().equals(theirs.version())
          && (!mine.version().isEmpty() || mine.modified().equals(theirs.modified()));
    }
  }

  /** Every folder. */
  Folder FOLDER = new Folder();
}
