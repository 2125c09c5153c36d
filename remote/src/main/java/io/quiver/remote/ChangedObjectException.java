package io.quiver.remote;

import java.io.IOException;

/**
 * Tells that an object was replaced between the parts of one read: its bytes would not belong
 * together.
 */
public final class ChangedObjectException extends IOException {
  private static final long serialVersionUID = 1;

  public ChangedObjectException(String name) {
    super(
        "'"
            + name
            + "' changed in the store while it was being read; read it again from its beginning,"
            + " and build its digest anew");
  }
}
