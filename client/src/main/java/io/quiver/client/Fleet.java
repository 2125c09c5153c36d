package io.quiver.client;

import io.quiver.client.transport.ServerLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The servers of this moment. They can be exchanged while calls are under way: a call ends with the
 * servers it began with, and the connections of a server that is gone are closed when the last such
 * call has ended.
 */
final class Fleet {
  private final Function<ServerAddress, ServerLink> connector;
  // All guarded by this.
  private final Map<ServerLink, Integer> users = new HashMap<>();
  private Formation current;

  /** Servers in force, with the calls that use them. */
  static final class Formation {
    private final Map<ServerAddress, ServerLink> links;
    private final Owners owners;
    private int calls;

    Formation(Map<ServerAddress, ServerLink> links) {
      this.links = links;
      this.owners = new Owners(links);
    }

    Owners owners() {
      return owners;
    }
  }

  Fleet(List<ServerAddress> servers, Function<ServerAddress, ServerLink> connector) {
    this.connector = connector;
    this.current = form(servers, Map.of());
  }

  private Formation form(List<ServerAddress> servers, Map<ServerAddress, ServerLink> known) {
    Map<ServerAddress, ServerLink> links = new HashMap<>();
    for (ServerAddress server : servers) {
      links.put(server, find(server, known));
    }
    links.values().forEach(link -> users.merge(link, 1, Integer::sum));
    return new Formation(links);
  }

  /** A server that keeps its place keeps its connections, whatever its weight. */
  private ServerLink find(ServerAddress server, Map<ServerAddress, ServerLink> known) {
    for (Map.Entry<ServerAddress, ServerLink> each : known.entrySet()) {
      if (each.getKey().uri().equals(server.uri())) {
        return each.getValue();
      }
    }
    return connector.apply(server);
  }

  synchronized void replace(List<ServerAddress> servers) {
    Formation former = current;
    if (former.links.keySet().equals(Set.copyOf(servers))) {
      return;
    }
    current = form(servers, former.links);
    if (former.calls == 0) {
      disband(former);
    }
  }

  /** The servers for one call, which must {@link #leave} them. */
  synchronized Formation enter() {
    current.calls++;
    return current;
  }

  synchronized void leave(Formation formation) {
    if (--formation.calls == 0 && formation != current) {
      disband(formation);
    }
  }

  private void disband(Formation formation) {
    for (ServerLink link : formation.links.values()) {
      if (users.merge(link, -1, Integer::sum) == 0) {
        users.remove(link);
        link.close();
      }
    }
  }

  /** Every server with connections. */
  synchronized List<ServerLink> links() {
    return new ArrayList<>(users.keySet());
  }
}
