package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobBatch.BlobStatus;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code GET /v1/blobs/{hex}}: one blob, or a part of it, for people and tools.
 *
 * <p>The checksum is compared on every read, also of what is in memory: people who look at single
 * blobs want certainty rather than the last microsecond.
 *
 * <p>The entity tag is made of checksum and length rather than of the hash: tags end up in caches'
 * logs, and the hash is the right to read the blob.
 */
public final class SingleRead implements RequestHandler {
  private static final String CONTENT_TYPE = "application/octet-stream";

  private final BlobStore store;
  private final ByteBudget budget;
  private final long maxResponseBytes;
  private final ServerMetrics metrics;

  /** Makes a handler over this store. */
  public SingleRead(
      BlobStore store, ByteBudget budget, long maxResponseBytes, ServerMetrics metrics) {
    this.store = store;
    this.budget = budget;
    this.maxResponseBytes = maxResponseBytes;
    this.metrics = metrics;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    ContentHash hash = RequestNames.hash(exchange);
    Account account = RequestNames.Caller.of(exchange).account(metrics);
    try (BudgetedBatch found =
        BudgetedBatch.read(
            budget,
            exchange.body().caller(),
            maxResponseBytes,
            () -> store.readChecked(List.of(hash), 1, maxResponseBytes))) {
      BlobBatch batch = found.blobs();
      if (batch.status(0) != BlobStatus.HIT) {
        account.count(ServerCounter.MISSES);
        throw Refusal.of(404, "no such blob here", "insert it, or ask the server that owns it");
      }
      account.count(ServerCounter.HITS);
      send(exchange, batch.bytes(0), tag(batch), account);
    }
  }

  private static void send(Exchange exchange, ByteBuffer bytes, String tag, Account account)
      throws IOException, Refusal {
    long size = bytes.remaining();
    Map<String, String> fields = new HashMap<>();
    fields.put("ETag", tag);
    fields.put("Accept-Ranges", "bytes");
    if (tag.equals(exchange.field("If-None-Match"))) {
      exchange.begin(304, CONTENT_TYPE, 0, fields).flush();
      return;
    }
    Optional<ByteRange> range = range(exchange, size, tag);
    if (range.isEmpty()) {
      send(exchange, 200, bytes, fields, account);
      return;
    }
    ByteRange part = range.get();
    if (!part.satisfiable()) {
      throw Refusal.of(
          416,
          "the range lies outside the blob of " + size + " bytes",
          "ask for bytes within it",
          "Content-Range",
          "bytes */" + size);
    }
    fields.put("Content-Range", part.of(size));
    ByteBuffer asked = bytes.slice((int) part.first(), (int) part.length());
    send(exchange, 206, asked, fields, account);
  }

  private static Optional<ByteRange> range(Exchange exchange, long size, String tag) {
    String condition = exchange.field("If-Range");
    boolean applies = condition == null || condition.equals(tag);
    return applies ? ByteRange.parse(exchange.field("Range"), size) : Optional.empty();
  }

  private static void send(
      Exchange exchange, int status, ByteBuffer bytes, Map<String, String> fields, Account account)
      throws IOException {
    AnswerWriter out = exchange.begin(status, CONTENT_TYPE, bytes.remaining(), fields);
    if (exchange.sendsPayload()) {
      account.add(ServerCounter.HIT_BYTES, bytes.remaining());
      out.append(bytes);
    }
    out.flush();
  }

  private static String tag(BlobBatch batch) {
    return String.format("\"%08x-%x\"", batch.crc32c(0), batch.hitBytes());
  }
}
