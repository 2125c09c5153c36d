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
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;

/** {@code POST /v1/blobs/lookup}: which of these blobs are here, claiming the rest if asked to. */
public final class BatchLookup implements RequestHandler {
  private final BlobStore store;
  private final Claims claims;
  private final ClaimedMisses claimedMisses;
  private final ByteBudget questions;
  private final ServerMetrics metrics;

  /** Makes a handler over this store and these claims; the budget bounds questions being read. */
  public BatchLookup(BlobStore store, Claims claims, ByteBudget questions, ServerMetrics metrics) {
    this.store = store;
    this.claims = claims;
    this.claimedMisses = new ClaimedMisses(claims);
    this.questions = questions;
    this.metrics = metrics;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    try (Question<AskFrame> question = Question.read(exchange, questions)) {
      Account account = question.caller().account(metrics);
      AskStatus[] statuses = statuses(question, account);
      boolean granted =
          question.ask().claim()
              && claimedMisses.claim(
                  question.ask().hashes(),
                  question.caller(),
                  statuses,
                  AskStatus.HIT,
                  ClaimedMisses.forBlobs(store, question.ask().hashes()),
                  account);
      answer(exchange, statuses, granted ? leaseField(claims) : Map.of());
    }
  }

  /** Returns the header field that tells how long granted claims hold. */
  static Map<String, String> leaseField(Claims claims) {
    return Map.of(Wire.CLAIM_LEASE_HEADER, Long.toString(claims.lease().toMillis()));
  }

  private AskStatus[] statuses(Question<AskFrame> question, Account account) {
    boolean[] here = store.contains(question.ask().hashes());
    AskStatus[] statuses = new AskStatus[here.length];
    int hits = 0;
    for (int i = 0; i < here.length; i++) {
      if (hits == question.ask().want()) {
        Arrays.fill(statuses, i, here.length, AskStatus.SKIPPED);
        account.add(ServerCounter.MISSES, i - hits);
        account.add(ServerCounter.HITS, hits);
        return statuses;
      }
      hits += here[i] ? 1 : 0;
      statuses[i] = here[i] ? AskStatus.HIT : AskStatus.MISS;
    }
    account.add(ServerCounter.MISSES, here.length - hits);
    account.add(ServerCounter.HITS, hits);
    return statuses;
  }

  private static void answer(Exchange exchange, AskStatus[] statuses, Map<String, String> fields)
      throws IOException {
    int bytes = AnswerFrame.bytes(statuses.length);
    AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, bytes, fields);
    AnswerFrame frame = AnswerFrame.allocate(out.reserve(bytes), statuses.length);
    for (int i = 0; i < statuses.length; i++) {
      frame.set(i, statuses[i]);
    }
    out.flush();
  }
}
