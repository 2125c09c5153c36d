package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.PartsFrame;
import io.quiver.protocol.PartsFrame.Part;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Answers a get for parts of blobs.
 *
 * <p>The store verifies whole blobs; a part is cut out of one that is known to be right, and gets a
 * checksum of its own. Each blob is read once, however many of its parts are asked for. The bytes
 * sent are bounded as those of a get are, and so are the bytes of the blobs they are cut from.
 */
final class PartsGet {
  private final BlobStore store;
  private final ByteBudget budget;
  private final long maxResponseBytes;
  private final ServerMetrics metrics;

  PartsGet(BlobStore store, ByteBudget budget, long maxResponseBytes, ServerMetrics metrics) {
    this.store = store;
    this.budget = budget;
    this.maxResponseBytes = maxResponseBytes;
    this.metrics = metrics;
  }

  void answer(Exchange exchange, PartsFrame frame, RequestNames.Caller caller)
      throws IOException, Refusal {
    Map<ContentHash, Integer> places = new LinkedHashMap<>();
    frame.parts().forEach(part -> places.putIfAbsent(part.hash(), places.size()));
    List<ContentHash> hashes = List.copyOf(places.keySet());
    try (BudgetedBatch found =
        BudgetedBatch.read(
            budget,
            caller.address(),
            maxResponseBytes,
            () -> store.read(hashes, hashes.size(), maxResponseBytes))) {
      Cuts cuts = new Cuts(frame.parts().size());
      for (Part part : frame.parts()) {
        cuts.cut(part, found.blobs(), Objects.requireNonNull(places.get(part.hash())));
      }
      found.share().shrink(cuts.payload);
      cuts.count(caller.account(metrics));
      BatchGet.send(
          exchange,
          cuts.statuses,
          index -> Objects.requireNonNull(cuts.bytes[index]),
          index -> cuts.checksums[index],
          Map.of());
    }
  }

  /** The parts of one answer, in order. */
  private final class Cuts {
    private final AskStatus[] statuses;
    private final @Nullable ByteBuffer[] bytes;
    private final int[] checksums;
    private final CRC32C crc = new CRC32C();
    private int next;
    private int hits;
    private int deferred;
    private long payload;

    Cuts(int size) {
      statuses = new AskStatus[size];
      bytes = new @Nullable ByteBuffer[size];
      checksums = new int[size];
    }

    void cut(Part part, BlobBatch blobs, int place) {
      int index = next++;
      BlobStatus status = blobs.status(place);
      boolean whole = status == BlobStatus.HIT && fits(part, blobs.bytes(place));
      boolean full = whole && hits > 0 && payload + part.length() > maxResponseBytes;
      if (full || status == BlobStatus.DEFERRED) {
        statuses[index] = AskStatus.DEFERRED;
        deferred++;
      } else if (whole) {
        ByteBuffer cut = blobs.bytes(place).slice((int) part.offset(), part.length());
        statuses[index] = AskStatus.HIT;
        bytes[index] = cut;
        checksums[index] = checksum(blobs, place, cut);
        hits++;
        payload += part.length();
      } else {
        statuses[index] = AskStatus.MISS;
      }
    }

    private boolean fits(Part part, ByteBuffer blob) {
      return part.length() <= blob.remaining() && part.offset() <= blob.remaining() - part.length();
    }

    private int checksum(BlobBatch blobs, int place, ByteBuffer part) {
      if (part.remaining() == blobs.bytes(place).remaining()) {
        return blobs.crc32c(place);
      }
      crc.reset();
      crc.update(part.duplicate());
      return (int) crc.getValue();
    }

    void count(Account account) {
      account.add(ServerCounter.HITS, hits);
      account.add(ServerCounter.DEFERRED, deferred);
      account.add(ServerCounter.MISSES, statuses.length - hits - deferred);
      account.add(ServerCounter.HIT_BYTES, payload);
    }
  }
}
