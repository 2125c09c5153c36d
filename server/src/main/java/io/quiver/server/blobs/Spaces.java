package io.quiver.server.blobs;

import io.quiver.core.space.SpaceId;
import io.quiver.server.http.Exchange;
import io.quiver.server.http.Json;
import io.quiver.server.http.Refusal;
import io.quiver.store.BlobStore;
import io.quiver.store.SpaceUsage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code /v1/spaces}: what each space holds, and dropping one. */
public final class Spaces {
  private final BlobStore store;

  /** Handlers over this store. */
  public Spaces(BlobStore store) {
    this.store = store;
  }

  /** {@code GET /v1/spaces}. */
  public void list(Exchange exchange) throws IOException {
    exchange.answer(
        200,
        Exchange.JSON,
        Json.bytes(Map.of("spaces", store.spaces().stream().map(Spaces::document).toList())));
  }

  /** {@code DELETE /v1/spaces/{name}}. */
  public void drop(Exchange exchange) throws IOException, Refusal {
    SpaceId space = BlobPath.space(exchange);
    if (store.spaces().stream().noneMatch(usage -> usage.space().equals(space))) {
      throw Refusal.of(404, "no space named " + space, "GET /v1/spaces lists them");
    }
    long bytes = store.drop(space);
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("space", space.name());
    document.put("freed_bytes", bytes);
    exchange.answer(200, Exchange.JSON, Json.bytes(document));
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
