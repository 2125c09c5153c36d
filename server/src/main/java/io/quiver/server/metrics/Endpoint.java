package io.quiver.server.metrics;

import static io.quiver.http.Role.DOOR;
import static io.quiver.http.Role.EVERYBODY;
import static io.quiver.http.Role.JOB;
import static io.quiver.http.Role.OPERATOR;
import static io.quiver.http.Role.SERVER;
import static io.quiver.http.Role.VIEWER;

import io.quiver.http.Role;
import io.quiver.http.Route;
import io.quiver.protocol.AskFrame;
import io.quiver.protocol.BindFrame;
import io.quiver.protocol.GetFrame;
import io.quiver.protocol.RankFrame;
import io.quiver.protocol.ResolveFrame;
import io.quiver.protocol.Wire;
import io.quiver.protocol.control.ControlJson;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table of calls that a cache server answers. Its metrics tell them apart by these names. */
public enum Endpoint implements Route {
  /** Batch read of blobs, or of parts of them. */
  GET("POST", Wire.GET_PATH, GetFrame.MAX_BYTES, JOB, DOOR),
  /** Batch question without payloads. */
  LOOKUP("POST", Wire.LOOKUP_PATH, AskFrame.MAX_BYTES, JOB, DOOR),
  /** New priorities. */
  RANK("POST", Wire.RANK_PATH, RankFrame.MAX_BYTES, JOB, DOOR),
  /** Batch insert. The handler bounds each blob, and the bytes in flight bound the whole. */
  PUT("PUT", Wire.BLOBS_PATH, Long.MAX_VALUE, JOB, DOOR),
  /** One blob read by its hash. */
  READ("GET", Wire.BLOBS_PATH + "/{hash}", 0, JOB, DOOR),
  /** One blob inserted under its hash. */
  INSERT("PUT", Wire.BLOBS_PATH + "/{hash}", Long.MAX_VALUE, JOB, DOOR),
  /** Names looked up. */
  RESOLVE("POST", Wire.RESOLVE_PATH, ResolveFrame.MAX_BYTES, DOOR),
  /** Names bound. */
  BIND("PUT", Wire.NAMES_PATH, BindFrame.MAX_BYTES, DOOR),
  /** The list of spaces. */
  SPACES("GET", Wire.SPACES_PATH, 0, VIEWER),
  /** A plan of spaces. */
  PLAN("POST", Wire.SPACES_PATH, ControlJson.MAX_BYTES, OPERATOR),
  /** A space dropped. */
  DROP("DELETE", Wire.SPACES_PATH + "/{space}", 0, OPERATOR),
  /** The status document. */
  STATUS("GET", Wire.STATUS_PATH, 0, JOB, SERVER, DOOR, VIEWER),
  /** The counters as a document. */
  COUNTERS("GET", Wire.COUNTERS_PATH, 0, VIEWER),
  /** The liveness probe. */
  HEALTH("GET", Wire.HEALTH_PATH, 0),
  /** The metrics themselves. */
  METRICS("GET", Wire.METRICS_PATH, 0, VIEWER),
  /** Anything that is not served here; not in the table. */
  OTHER("", "", 0);

  private final String method;
  private final String path;
  private final long maxBodyBytes;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes sets that never change
  private final Set<Role> roles;

  Endpoint(String method, String path, long maxBodyBytes, Role... roles) {
    this.method = method;
    this.path = path;
    this.maxBodyBytes = maxBodyBytes;
    this.roles = roles.length == 0 ? EVERYBODY : Set.of(roles);
  }

  /** Returns the lines of the table. */
  public static List<Endpoint> table() {
    return Stream.of(values()).filter(each -> each != OTHER).toList();
  }

  /** Returns the line that a request was dispatched by, or {@link #OTHER}. */
  public static Endpoint of(@Nullable Route route) {
    return route instanceof Endpoint endpoint ? endpoint : OTHER;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long maxBodyBytes() {
    return maxBodyBytes;
  }

  @Override
  public boolean takesJson() {
    return this == PLAN;
  }

  @Override
  public Set<Role> roles() {
    return roles;
  }

  /** Returns the label in the metrics. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
