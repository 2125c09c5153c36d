package io.quiver.server.blobs;

import io.quiver.core.space.SpaceId;
import io.quiver.http.ByteBudget;
import io.quiver.http.Exchange;
import io.quiver.http.JsonLine;
import io.quiver.http.Refusal;
import io.quiver.http.WholeBody;
import io.quiver.protocol.control.ControlJson;
import io.quiver.protocol.control.MalformedDocument;
import io.quiver.server.keep.SpaceKeepers;
import io.quiver.server.plan.AppliedSpaces;
import io.quiver.server.plan.PlanDocument;
import io.quiver.server.plan.PlannedSpaces;
import io.quiver.server.plan.SpacePlan;
import io.quiver.store.BlobStore;
import io.quiver.store.BlobStore.SpaceUsage;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** {@code /v1/spaces}: what each space holds, which there shall be, and dropping one. */
public final class Spaces {
  /**
   * A version is the time of the first plan, and counts on: a plan cannot be much newer than now.
   */
  private static final Duration MOST_AHEAD = Duration.ofHours(1);

  private final ReentrantLock parsing = new ReentrantLock();
  private final BlobStore store;
  private final SpaceKeepers keepers;
  private final PlannedSpaces planned;
  private final ByteBudget bodies;

  /** Makes handlers over this store; the budget bounds plans being read. */
  public Spaces(BlobStore store, SpaceKeepers keepers, PlannedSpaces planned, ByteBudget bodies) {
    this.store = store;
    this.keepers = keepers;
    this.planned = planned;
    this.bodies = bodies;
  }

  /**
   * {@code POST /v1/spaces} with a {@link PlanDocument}: the spaces that shall be under a prefix.
   * Answers what went; 409 with the plan it has when that is newer.
   */
  public void apply(Exchange exchange) throws IOException, Refusal {
    SpacePlan plan = plan(exchange);
    AppliedSpaces applied;
    try {
      applied = planned.apply(plan, false);
    } catch (IllegalArgumentException e) {
      throw notAPlan(String.valueOf(e.getMessage()));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    if (!applied.accepted()) {
      document.put(
          "error",
          plan.version() < applied.version()
              ? "plan " + plan.version() + " is older than plan " + applied.version()
              : "this server follows a manager's plan for the prefix " + plan.prefix());
      document.put("remedy", "send the newest plan, or change what the manager plans");
    }
    document.put("prefix", plan.prefix());
    document.put("version", applied.version());
    document.put("dropped", applied.dropped().stream().map(SpaceId::name).toList());
    document.put("freed_bytes", applied.freedBytes());
    exchange.answer(applied.accepted() ? 200 : 409, Exchange.JSON, JsonLine.bytes(document));
  }

  private SpacePlan plan(Exchange exchange) throws IOException, Refusal {
    try (WholeBody body = WholeBody.read(exchange.body(), bodies)) {
      // One at a time: a document of many small parts takes ten times its length while it is read.
      parsing.lock();
      try {
        return ControlJson.read(body.bytes(), PlanDocument.class)
            .plan(System.currentTimeMillis() + MOST_AHEAD.toMillis());
      } finally {
        parsing.unlock();
      }
    } catch (MalformedDocument | IllegalArgumentException e) {
      throw notAPlan(String.valueOf(e.getMessage()));
    }
  }

  private static Refusal notAPlan(String error) {
    return Refusal.of(
        400,
        error,
        "send {\"version\": 1, \"prefix\": \"ds-\", \"spaces\": [{\"name\": \"ds-a\"}]}");
  }

  /** {@code GET /v1/spaces}. */
  public void list(Exchange exchange) throws IOException {
    exchange.answer(
        200,
        Exchange.JSON,
        JsonLine.bytes(Map.of("spaces", store.spaces().stream().map(Spaces::document).toList())));
  }

  /** {@code DELETE /v1/spaces/{name}}. */
  public void drop(Exchange exchange) throws IOException, Refusal {
    SpaceId space = RequestNames.space(exchange);
    if (store.spaces().stream().noneMatch(usage -> usage.space().equals(space))) {
      throw Refusal.of(404, "no space named " + space, "GET /v1/spaces lists them");
    }
    long bytes = keepers.drop(Set.of(space), true);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("space", space.name());
    document.put("freed_bytes", bytes);
    exchange.answer(200, Exchange.JSON, JsonLine.bytes(document));
  }

  private static Map<String, @Nullable Object> document(SpaceUsage usage) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("space", usage.space().name());
    document.put("charged_bytes", usage.chargedBytes());
    document.put("blobs", usage.blobs());
    document.put("limit_bytes", usage.limitBytes() == Long.MAX_VALUE ? null : usage.limitBytes());
    return document;
  }
}
