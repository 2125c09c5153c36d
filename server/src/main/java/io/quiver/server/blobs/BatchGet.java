package io.quiver.server.blobs;

import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.protocol.AnswerFrame;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.PartsFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.store.BlobBatch;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * {@code POST /v1/blobs/get}: any k of n blobs in one round trip, or parts of blobs.
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
  private final PartsGet parts;

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
    this.claimedMisses = new ClaimedMisses(claims);
    this.questions = questions;
    this.budget = budget;
    this.maxResponseBytes = maxResponseBytes;
    this.metrics = metrics;
    this.parts = new PartsGet(store, budget, maxResponseBytes, metrics);
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    try (Question<GetFrame> question =
        Question.read(exchange, questions, GetFrame::parse, BatchGet::claims)) {
      switch (question.ask()) {
        case AskFrame ask -> answer(exchange, ask, question.caller());
        case PartsFrame frame -> parts.answer(exchange, frame, question.caller());
      }
    }
  }

  private static boolean claims(GetFrame frame) {
    return frame instanceof AskFrame ask && ask.claim();
  }

  private void answer(Exchange exchange, AskFrame ask, RequestNames.Caller caller)
      throws IOException, Refusal {
    try (BudgetedBatch found = read(ask, caller.address())) {
      BlobBatch batch = found.blobs();
      Account account = caller.account(metrics);
      AskStatus[] statuses = statuses(batch, account);
      boolean granted =
          ask.claim()
              && claimedMisses.claim(
                  ask.hashes(),
                  caller,
                  statuses,
                  AskStatus.DEFERRED,
                  ClaimedMisses.forBlobs(store, ask.hashes()),
                  account);
      Map<String, String> fields = granted ? BatchLookup.leaseField(claims) : Map.of();
      send(exchange, statuses, batch::bytes, batch::crc32c, fields);
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

  /**
   * Sends an answer with its payloads.
   *
   * @param bytes returns the payload of a hit
   * @param crc32c returns its checksum
   */
  static void send(
      Exchange exchange,
      AskStatus[] statuses,
      IntFunction<ByteBuffer> bytes,
      IntUnaryOperator crc32c,
      Map<String, String> fields)
      throws IOException {
    List<ByteBuffer> payloads = new ArrayList<>();
    long payloadBytes = 0;
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == AskStatus.HIT) {
        ByteBuffer payload = bytes.apply(i);
        payloads.add(payload);
        payloadBytes += payload.remaining();
      }
    }
    int headBytes = AnswerFrame.bytes(statuses.length);
    AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, headBytes + payloadBytes, fields);
    AnswerFrame frame = AnswerFrame.allocate(out.reserve(headBytes), statuses.length);
    int hits = 0;
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i] == AskStatus.HIT) {
        frame.setHit(i, payloads.get(hits++).remaining(), crc32c.applyAsInt(i));
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
