package io.quiver.server.blobs;

import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.Wire;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/**
 * {@code POST /v1/blobs/get}: any k of n blobs in one round trip.
 *
 * <p>The whole answer is resolved before its first byte leaves: what is here, how long, and cold
 * blobs read into memory. Then its length is exact and sending waits for nobody but the client.
 */
public final class BatchGet implements RequestHandler {
  private final BlobStore store;
  private final Claims claims;
  private final ClaimedMisses claimedMisses;
  private final ByteBudget questions;
  private final ByteBudget budget;
  private final long maxResponseBytes;
  private final ServerMetrics metrics;

  /**
   * Makes a handler.
   *
   * @param questions bounds the bytes of questions being read
   * @param budget bounds the bytes of answers being sent
   * @param maxResponseBytes most bytes of payload in one answer
   */
  public BatchGet(
      BlobStore store,
      Claims claims,
      ByteBudget questions,
      ByteBudget budget,
      long maxResponseBytes,
      ServerMetrics metrics) {
    this.store = store;
    this.claims = claims;
    this.claimedMisses = new ClaimedMisses(store, claims);
    this.questions = questions;
    this.budget = budget;
    this.maxResponseBytes = maxResponseBytes;
    this.metrics = metrics;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    try (Question question = Question.read(exchange, questions);
        BudgetedBatch found = read(question.ask(), exchange.body().caller())) {
      BlobBatch batch = found.blobs();
      Account account = question.caller().account(metrics);
      AskStatus[] statuses = statuses(batch, account);
      boolean granted =
          question.ask().claim()
              && claimedMisses.claim(question, statuses, AskStatus.DEFERRED, account);
      send(exchange, batch, statuses, granted ? BatchLookup.leaseField(claims) : Map.of());
    }
  }

  private BudgetedBatch read(AskFrame ask, String caller) throws Refusal {
    return BudgetedBatch.read(
        budget,
        caller,
        maxResponseBytes,
        () -> store.read(ask.hashes(), ask.want(), maxResponseBytes));
  }

  private static AskStatus[] statuses(BlobBatch batch, Account account) {
    AskStatus[] statuses = new AskStatus[batch.size()];
    int misses = 0;
    int deferred = 0;
    for (int i = 0; i < statuses.length; i++) {
      statuses[i] =
          switch (batch.status(i)) {
            case HIT -> AskStatus.HIT;
            case MISS -> AskStatus.MISS;
            case SKIPPED -> AskStatus.SKIPPED;
            case DEFERRED -> AskStatus.DEFERRED;
          };
      misses += statuses[i] == AskStatus.MISS ? 1 : 0;
      deferred += statuses[i] == AskStatus.DEFERRED ? 1 : 0;
    }
    account.add(ServerCounter.HITS, batch.hits());
    account.add(ServerCounter.MISSES, misses);
    account.add(ServerCounter.DEFERRED, deferred);
    account.add(ServerCounter.HIT_BYTES, batch.hitBytes());
    return statuses;
  }

  private static void send(
      Exchange exchange, BlobBatch batch, AskStatus[] statuses, Map<String, String> fields)
      throws IOException {
    int headBytes = AnswerFrame.bytes(statuses.length);
    ByteBuffer[] payloads = new ByteBuffer[batch.hits()];
    AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, headBytes + batch.hitBytes(), fields);
    AnswerFrame frame = AnswerFrame.allocate(out.reserve(headBytes), statuses.length);
    int hits = 0;
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == AskStatus.HIT) {
        ByteBuffer bytes = batch.bytes(i);
        frame.setHit(i, bytes.remaining(), batch.crc32c(i));
        payloads[hits++] = bytes;
      } else {
        frame.set(i, statuses[i]);
      }
    }
    for (ByteBuffer payload : payloads) {
      out.append(payload);
    }
    out.flush();
  }
}
