package io.quiver.server.blobs;

import io.quiver.core.hash.ContentHash;
import io.quiver.core.name.BlockName;
import io.quiver.core.name.NameBinding;
import io.quiver.http.AnswerWriter;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.Refusal;
import io.quiver.http.RequestHandler;
import io.quiver.protocol.AskStatus;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.ResolvedFrame;
import io.quiver.protocol.Wire;
import io.quiver.server.metrics.ServerCounter;
import io.quiver.server.metrics.ServerMetrics;
import io.quiver.server.metrics.ServerMetrics.Account;
import io.quiver.store.BlobStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /v1/names/resolve}: the blobs that names are bound to, claiming the rest if asked.
 */
public final class NameResolve implements RequestHandler {
  private final BlobStore store;
  private final Claims claims;
  private final ClaimedMisses claimedMisses;
  private final ByteBudget questions;
  private final ServerMetrics metrics;

  /** Makes a handler over this store and these claims; the budget bounds questions being read. */
  public NameResolve(BlobStore store, Claims claims, ByteBudget questions, ServerMetrics metrics) {
    this.store = store;
    this.claims = claims;
    this.claimedMisses = new ClaimedMisses(claims);
    this.questions = questions;
    this.metrics = metrics;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    try (Question<ResolveFrame> question =
        Question.read(exchange, questions, ResolveFrame::parse, ResolveFrame::claim)) {
      List<BlockName> names = question.ask().names();
      Account account = question.caller().account(metrics);
      List<Optional<NameBinding>> bindings = new ArrayList<>(store.resolve(names));
      AskStatus[] statuses = new AskStatus[names.size()];
      for (int i = 0; i < statuses.length; i++) {
        statuses[i] = bindings.get(i).isPresent() ? AskStatus.HIT : AskStatus.MISS;
      }
      boolean granted = question.ask().claim() && claim(question, statuses, bindings, account);
      account.add(ServerCounter.NAMES_ASKED, names.size());
      account.add(ServerCounter.NAME_HITS, bindings.stream().filter(Optional::isPresent).count());
      answer(exchange, statuses, bindings, granted ? BatchLookup.leaseField(claims) : Map.of());
    }
  }

  private boolean claim(
      Question<ResolveFrame> question,
      AskStatus[] statuses,
      List<Optional<NameBinding>> bindings,
      Account account) {
    List<BlockName> names = question.ask().names();
    List<ContentHash> keys = names.stream().map(BlockName::key).toList();
    return claimedMisses.claim(
        keys,
        question.caller(),
        statuses,
        AskStatus.HIT,
        places -> resolveAgain(names, places, bindings),
        account);
  }

  private boolean[] resolveAgain(
      List<BlockName> names, List<Integer> places, List<Optional<NameBinding>> bindings) {
    List<Optional<NameBinding>> found = store.resolve(places.stream().map(names::get).toList());
    boolean[] arrived = new boolean[places.size()];
    for (int i = 0; i < arrived.length; i++) {
      bindings.set(places.get(i), found.get(i));
      arrived[i] = found.get(i).isPresent();
    }
    return arrived;
  }

  private static void answer(
      Exchange exchange,
      AskStatus[] statuses,
      List<Optional<NameBinding>> bindings,
      Map<String, String> fields)
      throws IOException {
    List<ResolvedFrame.Row> rows = new ArrayList<>(statuses.length);
    for (int i = 0; i < statuses.length; i++) {
      rows.add(new ResolvedFrame.Row(statuses[i], bindings.get(i)));
    }
    ResolvedFrame frame = new ResolvedFrame(rows);
    AnswerWriter out = exchange.begin(200, Wire.FRAME_TYPE, frame.bytes(), fields);
    frame.write(out.reserve(frame.bytes()));
    out.flush();
  }
}
