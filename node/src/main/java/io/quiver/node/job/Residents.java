package io.quiver.node.job;

import io.quiver.client.BlobAnswer;
import io.quiver.client.CacheClient;
import io.quiver.client.GetRequest;
import io.quiver.client.GetRequest.Verification;
import io.quiver.client.Lookup;
import io.quiver.core.dataset.DatasetDigest;
import io.quiver.protocol.AskStatus;
import java.util.Arrays;
import java.util.function.LongConsumer;

/** Finds out what the cache has of a data set, by looking items up and by reading them back. */
final class Residents {
  private static final int LOOK = 1024;
  private static final int READ = 64;
  private static final long READ_BYTES = 16L << 20;

  private final DatasetDigest digest;
  private final CacheClient client;

  Residents(DatasetDigest digest, CacheClient client) {
    this.digest = digest;
    this.client = client;
  }

  /** Returns those of these items that are there, in their order. */
  int[] present(int[] items, LongConsumer bytesDone) {
    int[] found = new int[items.length];
    int count = 0;
    long bytes = 0;
    for (int from = 0; from < items.length; from += LOOK) {
      int[] part = Arrays.copyOfRange(items, from, Math.min(items.length, from + LOOK));
      Lookup lookup = client.lookup(Arrays.stream(part).mapToObj(digest::hash).toList(), false);
      for (int i = 0; i < part.length; i++) {
        bytes += digest.size(part[i]);
        if (lookup.status(i) == AskStatus.HIT) {
          found[count++] = part[i];
        }
      }
      bytesDone.accept(bytes);
    }
    return Arrays.copyOf(found, count);
  }

  /** Reads items back and hashes them; how many did not come, or not as they should. */
  int unreadable(int[] items, LongConsumer bytesDone) {
    int bad = 0;
    long bytes = 0;
    int from = 0;
    while (from < items.length) {
      int to = from;
      long length = 0;
      while (to < items.length && to - from < READ && (to == from || length < READ_BYTES)) {
        length += digest.size(items[to++]);
      }
      bad += unreadable(Arrays.copyOfRange(items, from, to));
      bytes += length;
      bytesDone.accept(bytes);
      from = to;
    }
    return bad;
  }

  private int unreadable(int[] part) {
    GetRequest question =
        GetRequest.all(Arrays.stream(part).mapToObj(digest::hash).toList())
            .verifiedBy(Verification.SHA256);
    try (BlobAnswer answer = client.get(question)) {
      return part.length - answer.hits();
    }
  }
}
