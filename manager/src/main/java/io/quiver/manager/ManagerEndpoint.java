package io.quiver.manager;

import static io.quiver.http.Role.DOOR;
import static io.quiver.http.Role.EVERYBODY;
import static io.quiver.http.Role.JOB;
import static io.quiver.http.Role.OPERATOR;
import static io.quiver.http.Role.SERVER;
import static io.quiver.http.Role.VIEWER;

import io.quiver.http.Role;
import io.quiver.http.Route;
import io.quiver.protocol.Wire;
import io.quiver.protocol.control.ControlJson;
import java.util.Set;

/** The table of calls that a cache manager answers. */
public enum ManagerEndpoint implements Route {
  /** Takes a job's report; answers its plan. */
  JOB_HEARTBEAT("POST", "/v1/jobs/{job}/heartbeat", JOB, DOOR),
  /** Answers a job's plan, once it is newer than a version or the wait is over. */
  JOB_PLAN("GET", "/v1/jobs/{job}/plan", JOB, DOOR),
  /** Takes a server's report; answers its plan. */
  SERVER_HEARTBEAT("POST", "/v1/servers/{server}/heartbeat", SERVER),
  /** Answers the servers' plan, once it is newer than a version or the wait is over. */
  SERVER_PLAN("GET", "/v1/servers/{server}/plan", SERVER),
  /** Takes a door's report; answers its plan. */
  DOOR_HEARTBEAT("POST", "/v1/doors/{door}/heartbeat", DOOR),
  /** Answers a door's plan, once it is newer than a version or the wait is over. */
  DOOR_PLAN("GET", "/v1/doors/{door}/plan", DOOR),
  /** Changes what an operator wants for a data set. */
  DATASET_PREFERENCE("POST", "/v1/datasets/{dataset}/preference", OPERATOR),
  /** Changes the quota of a user. */
  USER_QUOTA("POST", "/v1/users/{user}/quota", OPERATOR),
  /** Lists the preferences. */
  PREFERENCES("GET", "/v1/preferences", VIEWER),
  /** Answers the plan. */
  PLAN("GET", "/v1/plan", JOB, DOOR, VIEWER),
  /** Sends every new plan as a server-sent event. */
  PLAN_EVENTS("GET", "/v1/plan/events", VIEWER),
  /** Explains the plan. */
  REVIEW("GET", "/v1/plan/review", VIEWER),
  /** Tells what another capacity would give. */
  WHAT_IF("GET", "/v1/plan/what-if", VIEWER),
  /** Lists the jobs. */
  JOBS("GET", "/v1/jobs", VIEWER),
  /** Lists the doors. */
  DOORS("GET", "/v1/doors", VIEWER),
  /** Lists the access streams; their paths are for operators and the doors' own users. */
  STREAMS("GET", "/v1/streams", VIEWER),
  /** Changes what an operator wants for what doors read below a path. */
  PATH_PREFERENCE("POST", "/v1/paths/preference", OPERATOR),
  /** Lists the data sets. */
  DATASETS("GET", "/v1/datasets", VIEWER),
  /** Lists the servers. */
  SERVERS("GET", "/v1/servers", JOB, DOOR, VIEWER),
  /** Lists the servers, by its other name. */
  CLUSTER("GET", "/v1/cluster", JOB, DOOR, VIEWER),
  /** Answers the status of the process. */
  ROOT("GET", "/", JOB, SERVER, DOOR, VIEWER),
  /** Answers the status of the process. */
  STATUS("GET", Wire.STATUS_PATH, JOB, SERVER, DOOR, VIEWER),
  /** Answers metrics in Prometheus' text format; streams go by their hashed names. */
  METRICS("GET", Wire.METRICS_PATH, VIEWER),
  /** Tells that the process lives. */
  HEALTH("GET", Wire.HEALTH_PATH);

  private final String method;
  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of makes sets that never change
  private final Set<Role> roles;

  ManagerEndpoint(String method, String path, Role... roles) {
    this.method = method;
    this.path = path;
    this.roles = roles.length == 0 ? EVERYBODY : Set.of(roles);
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
  public Set<Role> roles() {
    return roles;
  }

  @Override
  public long maxBodyBytes() {
    return takesJson() ? ControlJson.MAX_BYTES : 0;
  }

  @Override
  public boolean takesJson() {
    return method.equals("POST");
  }
}
