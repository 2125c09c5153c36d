package io.quiver.gateway.door.block;

import io.quiver.remote.RemoteObject;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads the first blocks of objects that will be opened soon. Details come in the same answer of
 * the store, so that opening such an object costs nothing more.
 */
public interface FirstBlocks {
  /**
   * Opens the first bytes of exactly this version.
   *
   * @throws io.quiver.remote.ChangedObjectException if the store has another version now
   */
  InputStream open(RemoteObject object, int length) throws IOException;

  /** Hears that the cache had the first block of an object that was read ahead. May block. */
  void found(RemoteObject object);
}
