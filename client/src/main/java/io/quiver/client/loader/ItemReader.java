package io.quiver.client.loader;

import io.quiver.client.loader.LoaderConfig.OnMismatch;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.engine.ReadRules;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.RemoteStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads single items from the store and compares them with the digest. The store has its own
 * retries and deadlines; here a read that failed or came out wrong is repeated once, because a
 * damaged transfer looks like a changed object.
 */
final class ItemReader {
  private static final Logger LOG = LoggerFactory.getLogger(ItemReader.class);
  private static final int WARNINGS = 10;
  private static final long LONGEST_ITEM = Integer.MAX_VALUE - 8L;

  private final DatasetDigest digest;
  private final RemoteStore store;
  private final OnMismatch onMismatch;
  private final AtomicInteger changed = new AtomicInteger();

  ItemReader(DatasetDigest digest, RemoteStore store, OnMismatch onMismatch) {
    this.digest = digest;
    this.store = store;
    this.onMismatch = onMismatch;
  }

  /**
   * The bytes of an item.
   *
   * @throws LoadException naming the item and its place, if it cannot be read or is refused
   */
  Fetched read(int item) {
    ByteBuffer wrong = null;
    for (int attempt = 1; ; attempt++) {
      try {
        ByteBuffer bytes = once(item);
        if (ContentHash.ofContent(bytes).equals(digest.hash(item))) {
          return new Fetched(bytes, true);
        }
        wrong = bytes;
      } catch (IOException e) {
        if (attempt == ReadRules.STORE_ATTEMPTS || !worthRepeating(e)) {
          throw new LoadException(place(item) + " cannot be read: " + describe(e) + remedy(e), e);
        }
      }
      if (attempt >= ReadRules.STORE_ATTEMPTS && wrong != null) {
        return changed(item, wrong);
      }
    }
  }

  private ByteBuffer once(int item) throws IOException {
    long size = digest.size(item);
    if (size > LONGEST_ITEM) {
      throw new LoadException(place(item) + " has " + size + " bytes, too many for memory", null);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) size);
    store.read(digest.objectName(digest.objectIndex(item)), digest.offset(item), bytes);
    return bytes.flip();
  }

  private static boolean worthRepeating(IOException e) {
    return !(e instanceof NoSuchFileException
        || e instanceof AccessDeniedException
        || e instanceof EOFException
        || e instanceof InterruptedIOException);
  }

  private Fetched changed(int item, ByteBuffer bytes) {
    String what = place(item) + " is not what the digest says: it changed since";
    if (onMismatch == OnMismatch.REFUSE) {
      throw new LoadException(
          what + "; make the digest again, or serve changed items as they are", null);
    }
    int count = changed.incrementAndGet();
    if (count <= WARNINGS) {
      LOG.warn("{}; it is served as it is and not cached", what);
    } else if (Integer.bitCount(count) == 1) {
      LOG.warn("{} reads found changed items so far, the last one item {}", count, item);
    }
    return new Fetched(bytes, false);
  }

  private String place(int item) {
    return "item "
        + item
        + " ('"
        + digest.objectName(digest.objectIndex(item))
        + "' in "
        + store.uri()
        + ", "
        + digest.size(item)
        + " bytes from "
        + digest.offset(item)
        + ")";
  }

  private static String describe(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "it is not there";
      case AccessDeniedException e -> "access is denied";
      case EOFException e -> "the object is too short";
      default -> String.valueOf(failure.getMessage());
    };
  }

  private static String remedy(IOException failure) {
    return switch (failure) {
      case NoSuchFileException e -> "; put it back or make the digest again";
      case AccessDeniedException e -> "; check the credentials this job runs with";
      case EOFException e -> "; it changed since: make the digest again";
      default -> "";
    };
  }

  /**
   * An item read from the store.
   *
   * @param bytes its bytes from position to limit; nobody changes them any more
   * @param genuine whether they are those the digest names; others never go into the cache
   */
  record Fetched(ByteBuffer bytes, boolean genuine) {}
}
