package io.quiver.gateway.door.metadata;

import io.quiver.remote.ObjectDetails;
import io.quiver.remote.RemoteObject;

/** States what the store said of one name. */
sealed interface KnownObject {

  /** A listing had it: size, version and time of change. */
  record Listed(RemoteObject object) implements KnownObject {}

  /** The store was asked for it: all details. */
  record Asked(ObjectDetails details) implements KnownObject {}

  /** The store does not have it. */
  record Absent() implements KnownObject {}
}
