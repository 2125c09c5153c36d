package io.quiver.server.blobs;

import io.quiver.core.keep.RankingJob;
import io.quiver.core.space.SpaceId;
import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.http.WholeBody;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.RankedFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.keep.SpaceKeepers;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.plan.PlannedSpaces;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** {@code POST /v1/blobs/rank}: new priorities for blobs that a ranked space keeps. */
public final class BatchRank implements RequestHandler {
  private final InsertWorkers inserter;
  private final SpaceKeepers keepers;
  private final PlannedSpaces planned;
  private final ByteBudget questions;
  private final ServerMetrics metrics;

  /** Makes a handler; the budget bounds rankings being read. */
  public BatchRank(
      InsertWorkers inserter,
      SpaceKeepers keepers,
      PlannedSpaces planned,
      ByteBudget questions,
      ServerMetrics metrics) {
    this.inserter = inserter;
    this.keepers = keepers;
    this.planned = planned;
    this.questions = questions;
    this.metrics = metrics;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    InsertWorkers.Sender sender = inserter.sender(exchange);
    if (sender.job().name().isEmpty()) {
      throw Refusal.of(
          400,
          "priorities need a job to belong to",
          "name the job in the " + Wire.RANKING_JOB_HEADER + " or " + Wire.JOB_HEADER + " field");
    }
    try (WholeBody body = WholeBody.read(exchange.body(), questions)) {
      RankFrame frame = Question.parse(body, RankFrame::parse);
      inserter.awaitPlan(exchange, Set.of(frame.space()));
      RankedFrame ranked = rank(frame, sender.job());
      sender.account().add(ServerCounter.BLOBS_RANKED, ranked.kept());
      metrics.add(frame.space(), ServerCounter.BLOBS_RANKED, ranked.kept());
      AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, RankedFrame.BYTES, Map.of());
      ranked.write(out.reserve(RankedFrame.BYTES));
      out.flush();
    }
  }

  private RankedFrame rank(RankFrame frame, RankingJob job) throws Refusal {
    SpaceId space = frame.space();
    if (!planned.takes(space)) {
      throw Refusal.of(
          409, "the plan of this server has no space " + space, "use a space of the newest plan");
    }
    return keepers
        .rank(frame, job)
        .orElseThrow(() ->
            Refusal.of(
                409,
                "space " + space + " is not ranked",
                "rank blobs of spaces that the plan orders with the keeper ranked"));
  }
}
