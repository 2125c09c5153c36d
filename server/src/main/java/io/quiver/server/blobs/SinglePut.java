package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.space.SpaceId;
import io.quiver.http.ByteBudget;
import io.quiver.http.DirectBuffers;
import io.quiver.http.Exchange;
import io.quiver.http.JsonLine;
import io.quiver.http.Refusal;
import io.quiver.http.RequestBody;
import io.quiver.http.RequestHandler;
import io.quiver.protocol.OfferFrame.Offer;
import io.quiver.protocol.Receipt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;

/** {@code PUT /v1/blobs/{hex}?space=name}: one blob as a raw body, for people and tools. */
public final class SinglePut implements RequestHandler {
  private static final int FIRST_BYTES = 64 << 10;
  private static final int GROWTH = 4;

  private final InsertWorkers inserter;
  private final ByteBudget budget;
  private final DirectBuffers pool;
  private final long maxBlobBytes;

  /** Makes a handler that takes blobs up to this length. */
  public SinglePut(
      InsertWorkers inserter, ByteBudget budget, DirectBuffers pool, long maxBlobBytes) {
    this.inserter = inserter;
    this.budget = budget;
    this.pool = pool;
    this.maxBlobBytes = maxBlobBytes;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    ContentHash hash = RequestNames.hash(exchange);
    SpaceId space = RequestNames.spaceParameter(exchange);
    InsertWorkers.Sender sender = inserter.sender(exchange);
    RequestBody body = exchange.body();
    if (body.length() > maxBlobBytes) {
      throw tooLarge();
    }
    ReceiveBuffer received = receive(body);
    int length = received.bytes().position();
    Future<Receipt> receipt;
    boolean handedOver = false;
    try {
      receipt =
          inserter.submit(() -> {
            try (received) {
              ByteBuffer content = received.bytes().slice(0, length);
              return inserter.insert(new Offer(hash, space, length), content, sender);
            }
          });
      handedOver = true;
    } finally {
      if (!handedOver) {
        received.close();
      }
    }
    answer(exchange, space, InsertWorkers.await(receipt), length);
  }

  /** Receives the whole body, announced or chunked. */
  private ReceiveBuffer receive(RequestBody body) throws IOException, Refusal {
    byte[] scratch = new byte[FIRST_BYTES / 4];
    long longest = body.length() < 0 ? maxBlobBytes : body.length();
    int first = (int) Math.min(FIRST_BYTES, longest);
    ReceiveBuffer buffer = ReceiveBuffer.take(first, body.caller(), budget, pool);
    boolean received = false;
    try {
      int step = body.read(scratch, 0, scratch.length);
      while (step >= 0) {
        int length = buffer.bytes().position() + step;
        if (length > longest) {
          throw tooLarge().closing();
        }
        if (length > buffer.bytes().capacity()) {
          buffer.grow((int) Math.min(longest, GROWTH * (long) length));
        }
        buffer.bytes().put(scratch, 0, step);
        step = body.read(scratch, 0, scratch.length);
      }
      received = true;
      return buffer;
    } finally {
      if (!received) {
        buffer.close();
      }
    }
  }

  private void answer(Exchange exchange, SpaceId space, Receipt receipt, int length)
      throws IOException, Refusal {
    switch (receipt) {
      case STORED, ALREADY_HERE -> {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("outcome", receipt.name().toLowerCase(Locale.ROOT));
        document.put("space", space.name());
        document.put("bytes", length);
        int status = receipt == Receipt.STORED ? 201 : 200;
        exchange.answer(status, Exchange.JSON, JsonLine.bytes(document));
      }
      case HASH_MISMATCH ->
          throw Refusal.of(
              409,
              "the " + length + " bytes received do not have the hash in the path",
              "name the blob by the SHA-256 of its bytes; was the file changed or cut?");
      case TOO_LARGE -> throw tooLarge();
      case NO_ROOM ->
          throw Refusal.of(
              507,
              "space " + space + " cannot take " + length + " more bytes",
              "drop a space, raise the bound of this one or give the server more capacity");
      case NOT_PLANNED ->
          throw Refusal.of(
              409,
              "the plan of this server has no space " + space,
              "use a space of the newest plan, or one that no plan decides about");
      case DISK_FAILURE ->
          throw Refusal.of(
              507, "the server's disks did not take the blob", "look into the server's log");
    }
  }

  private Refusal tooLarge() {
    return Refusal.of(
        413,
        "a blob is at most " + maxBlobBytes + " bytes long here",
        "cut it into smaller blobs or raise the server's limit");
  }
}
