package io.quiver.node.job;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.RemoteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Explains why an item did not get into the cache, by reading it from its store once more. */
final class MissingReason {
  private static final long LONGEST = 256L << 20;

  private final DatasetDigest digest;
  private final RemoteStore store;

  MissingReason(DatasetDigest digest, RemoteStore store) {
    this.digest = digest;
    this.store = store;
  }

  /**
   * Returns the reason why the first missing item is missing; empty when none is.
   *
   * @param found a part of those planned, in the same order
   */
  String of(int[] planned, int[] found) {
    for (int i = 0; i < planned.length; i++) {
      if (i >= found.length || planned[i] != found[i]) {
        return of(planned[i]);
      }
    }
    return "";
  }

  private String of(int item) {
    String place = "item " + item + " ('" + digest.objectName(digest.objectIndex(item)) + "') ";
    try {
      return place
          + (isGenuine(item)
              ? "was refused by its server; see the server's log"
              : "is not what the digest says: make the digest again");
    } catch (NoSuchFileException e) {
      return place + "is not in " + store.uri() + ": put it back or make the digest again";
    } catch (AccessDeniedException e) {
      return place + "may not be read: check the credentials";
    } catch (IOException e) {
      return place + "cannot be read: " + e.getMessage();
    }
  }

  private boolean isGenuine(int item) throws IOException {
    if (digest.size(item) > LONGEST) {
      return true;
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) digest.size(item));
    store.read(digest.objectName(digest.objectIndex(item)), digest.offset(item), bytes);
    return ContentHash.ofContent(bytes.flip()).equals(digest.hash(item));
  }
}
