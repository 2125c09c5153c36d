package io.quiver.http;

import java.util.Set;

/**
 * One line of a server's table of calls. The table is what requests are dispatched by, so no call
 * can exist without saying who may make it and how long its body may be.
 */
public interface Route {
  /** Returns the method; a route for GET answers HEAD too. */
  String method();

  /** Returns the path; a segment in braces, as in {@code /v1/jobs/{job}/plan}, takes any value. */
  String path();

  /** Returns the roles that may call it besides {@link Role#OPERATOR}. */
  Set<Role> roles();

  /** Returns the most bytes its body may have. */
  long maxBodyBytes();

  /** Returns true if the body is a JSON document; a request must then say so. */
  boolean takesJson();
}
