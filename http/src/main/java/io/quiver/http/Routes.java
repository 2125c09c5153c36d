package io.quiver.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches requests by a table of {@link Route}s: finds the line, checks the caller's site and
 * role and the body's type and length, and calls the handler.
 */
public final class Routes implements RequestHandler {
  private final AccessControl access;
  private final SiteCheck sites;
  private final Map<String, Methods> exact = new HashMap<>();
  private final List<Pattern> patterns = new ArrayList<>();
  private final String elsewhere;

  /** The calls of one path by their methods. */
  private static final class Methods {
    private final Map<String, Entry> entries = new HashMap<>();
  }

  private record Entry(Route route, RequestHandler handler) {}

  /** A path with segments that take any value. */
  private record Pattern(String path, List<String> segments, Methods methods) {}

  /** A pattern that fits a path, and what its variable segments are. */
  private record Match(Methods methods, Map<String, String> values) {}

  /**
   * Makes an empty table.
   *
   * @param access says who calls
   * @param elsewhere the remedy given to those who ask for a path that is not in the table
   */
  public Routes(AccessControl access, String elsewhere) {
    this.access = access;
    this.sites = new SiteCheck(!access.isOpen());
    this.elsewhere = elsewhere;
  }

  /** Adds a name by which clients know the server. All are added before the first request. */
  public Routes knownAs(String host) {
    sites.addName(host);
    return this;
  }

  /** Adds a line to the table. All lines are added before the first request. */
  public Routes add(Route route, RequestHandler handler) {
    Methods methods = methods(route.path());
    Entry entry = new Entry(route, handler);
    if (methods.entries.putIfAbsent(route.method(), entry) != null) {
      throw new IllegalArgumentException(route.method() + " " + route.path() + " is there already");
    }
    if (route.method().equals("GET")) {
      methods.entries.put("HEAD", entry);
    }
    return this;
  }

  private Methods methods(String path) {
    if (path.indexOf('{') < 0) {
      return exact.computeIfAbsent(path, _ -> new Methods());
    }
    for (Pattern pattern : patterns) {
      if (pattern.path.equals(path)) {
        return pattern.methods;
      }
    }
    Pattern pattern = new Pattern(path, List.of(path.split("/", -1)), new Methods());
    patterns.add(pattern);
    return pattern.methods;
  }

  @Override
  public void handle(Exchange exchange) throws IOException, Refusal {
    Methods methods = exact(exchange.path(), exchange.rawPath());
    if (methods == null) {
      Match match = match(exchange.rawPath());
      if (match == null) {
        throw Refusal.of(404, "nothing is served at this path", elsewhere);
      }
      methods = match.methods;
      exchange.bind(match.values);
    }
    Entry entry = methods.entries.get(exchange.method());
    if (entry == null) {
      throw wrongMethod(methods);
    }
    Route route = entry.route;
    sites.check(exchange);
    exchange.assign(route, access.identify(exchange, route));
    if (route.takesJson()) {
      requireJson(exchange.field("Content-Type"));
    }
    exchange.body().limit(route.maxBodyBytes());
    entry.handler.handle(exchange);
  }

  /** Refuses what a page can have a browser send to any server without asking that server first. */
  private static void requireJson(@Nullable String type) throws Refusal {
    String essence = type == null ? "" : type.split(";", 2)[0].strip();
    if (!essence.equalsIgnoreCase(Exchange.JSON)) {
      throw Refusal.of(
          415, "this call takes a JSON document only", "send Content-Type: " + Exchange.JSON);
    }
  }

  /** Returns the calls of a path; an escaped slash is part of a name and divides nothing. */
  private @Nullable Methods exact(String path, String rawPath) {
    boolean plain = path.length() == rawPath.length() || slashes(path) == slashes(rawPath);
    return plain ? exact.get(path) : null;
  }

  private static long slashes(String path) {
    return path.chars().filter(c -> c == '/').count();
  }

  private @Nullable Match match(String rawPath) throws Refusal {
    String[] segments = rawPath.split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      segments[i] = RequestTarget.decode(segments[i]);
    }
    for (Pattern pattern : patterns) {
      Map<String, String> values = values(pattern.segments, segments);
      if (values != null) {
        return new Match(pattern.methods, values);
      }
    }
    return null;
  }

  private static @Nullable Map<String, String> values(List<String> pattern, String[] segments) {
    if (pattern.size() != segments.length) {
      return null;
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < segments.length; i++) {
      String expected = pattern.get(i);
      if (expected.startsWith("{")) {
        if (segments[i].isEmpty()) {
          return null;
        }
        values.put(expected.substring(1, expected.length() - 1), segments[i]);
      } else if (!expected.equals(segments[i])) {
        return null;
      }
    }
    return values;
  }

  private static Refusal wrongMethod(Methods methods) {
    String allowed = String.join(", ", new TreeSet<>(methods.entries.keySet()));
    return Refusal.of(
        405, "this path does not take this method", "use " + allowed, "Allow", allowed);
  }
}
