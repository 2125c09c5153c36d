package io.quiver.remote.ingest;

import io.quiver.core.dataset.DatasetDigest;
import io.quiver.core.hash.ContentHash;
import io.quiver.remote.RemoteStore;
import io.quiver.remote.ingest.DigestVerifier.Problem;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;

/** Reads items that lie one behind the other in one object and compares their hashes. */
final class StretchCheck {
  /** Larger holes between items are not read through. */
  static final long MAX_GAP_BYTES = 4096;

  private final DatasetDigest digest;
  private final RemoteStore store;
  private final Hasher hasher;
  private final Complaint complaint;

  /** Receives the items that differ. */
  interface Complaint {
    void accept(int item, Problem problem, String detail);
  }

  StretchCheck(DatasetDigest digest, RemoteStore store, Hasher hasher, Complaint complaint) {
    this.digest = digest;
    this.store = store;
    this.hasher = hasher;
    this.complaint = complaint;
  }

  /** Checks the items from first to end. Where an object ends early, the rest is missing. */
  void run(int first, int end) {
    String object = digest.objectName(digest.objectIndex(first));
    long start = digest.offset(first);
    long length = digest.offset(end - 1) + digest.size(end - 1) - start;
    int checked = first;
    try (InputStream in = store.open(object, start, length)) {
      long position = start;
      for (; checked < end; checked++) {
        in.skipNBytes(digest.offset(checked) - position);
        checkOne(in, checked);
        position = digest.offset(checked) + digest.size(checked);
      }
    } catch (EOFException | NoSuchFileException e) {
      complainFrom(checked, end, Problem.MISSING, e);
    } catch (IOException e) {
      complainFrom(checked, end, Problem.UNREADABLE, e);
    }
  }

  private void checkOne(InputStream in, int item) throws IOException {
    hasher.reset();
    long found = hasher.update(in, digest.size(item));
    if (found < digest.size(item)) {
      throw new EOFException("it ends %d bytes early".formatted(digest.size(item) - found));
    }
    if (!ContentHash.of(hasher.finish()).equals(digest.hash(item))) {
      complaint.accept(item, Problem.CHANGED, "its bytes have another hash now");
    }
  }

  private void complainFrom(int from, int end, Problem problem, IOException cause) {
    for (int item = from; item < end; item++) {
      String message = cause.getMessage();
      complaint.accept(item, problem, message == null ? cause.toString() : message);
    }
  }
}
