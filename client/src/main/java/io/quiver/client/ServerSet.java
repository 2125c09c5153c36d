package io.quiver.client;

import io.quiver.client.transport.ServerLink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Holds the current servers. They can be exchanged while calls are under way: a call ends with the
 * servers it began with, and the connections of a server that is gone are closed when the last such
 * call has ended.
 */
final class ServerSet {
  private final Function<ServerAddress, ServerLink> connector;
  // All guarded by this.
  private final Map<ServerLink, Integer> users = new HashMap<>();
  private Snapshot current;

  /** The servers of one moment, with the calls that use them. */
  static final class Snapshot {
    private final Map<ServerAddress, ServerLink> links;
    private final BatchSplitter splitter;
    private int calls;

    Snapshot(Map<ServerAddress, ServerLink> links) {
      this.links = links;
      this.splitter = new BatchSplitter(links);
    }

    BatchSplitter splitter() {
      return splitter;
    }
  }

  ServerSet(List<ServerAddress> servers, Function<ServerAddress, ServerLink> connector) {
    this.connector = connector;
    this.current = form(servers, Map.of());
  }

  private Snapshot form(List<ServerAddress> servers, Map<ServerAddress, ServerLink> known) {
    Map<ServerAddress, ServerLink> links = new HashMap<>();
    for (ServerAddress server : servers) {
      links.put(server, find(server, known));
    }
    links.values().forEach(link -> users.merge(link, 1, Integer::sum));
    return new Snapshot(links);
  }

  /**
   * Finds the link of a server: a server that keeps its address keeps its connections, whatever its
   * weight.
   */
  private ServerLink find(ServerAddress server, Map<ServerAddress, ServerLink> known) {
    for (Map.Entry<ServerAddress, ServerLink> each : known.entrySet()) {
      if (each.getKey().uri().equals(server.uri())) {
        return each.getValue();
      }
    }
    return connector.apply(server);
  }

  synchronized void replace(List<ServerAddress> servers) {
    Snapshot former = current;
    if (former.links.keySet().equals(Set.copyOf(servers))) {
      return;
    }
    current = form(servers, former.links);
    if (former.calls == 0) {
      disband(former);
    }
  }

  /** Returns the servers for one call, which must {@link #leave} them. */
  synchronized Snapshot enter() {
    current.calls++;
    return current;
  }

  synchronized void leave(Snapshot snapshot) {
    if (--snapshot.calls == 0 && snapshot != current) {
      disband(snapshot);
    }
  }

  private void disband(Snapshot snapshot) {
    for (ServerLink link : snapshot.links.values()) {
      if (users.merge(link, -1, Integer::sum) == 0) {
        users.remove(link);
        link.close();
      }
    }
  }

  /** Returns the links of all servers with connections. */
  synchronized List<ServerLink> links() {
    return new ArrayList<>(users.keySet());
  }
}
