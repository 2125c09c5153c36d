package io.quiver.client.testing;

import io.quiver.server.CacheServer;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.SpacePlan;
import io.quiver.store.BlobStore;
import io.quiver.store.memory.MemoryBlobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** Real cache servers on loopback, which can be stopped and started again on their ports. */
public final class RunningServers implements AutoCloseable {
  private final List<BlobStore> stores;
  private final List<CacheServer> servers = new ArrayList<>();
  private final List<URI> uris;
  private final UnaryOperator<ServerConfig> settings;

  private RunningServers(
      List<BlobStore> stores, List<Integer> ports, UnaryOperator<ServerConfig> settings) {
    this.stores = stores;
    this.settings = settings;
    for (int i = 0; i < stores.size(); i++) {
      servers.add(start(stores.get(i), ports.get(i)));
    }
    uris = servers.stream().map(CacheServer::uri).toList();
  }

  /** Returns this many servers over stores in memory. */
  public static RunningServers inMemory(int count) {
    return inMemory(count, config -> config);
  }

  /** Returns this many servers over stores in memory, with settings of their own. */
  public static RunningServers inMemory(int count, UnaryOperator<ServerConfig> settings) {
    List<BlobStore> stores = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stores.add(new MemoryBlobStore(256 << 20, 64 << 20));
    }
    return new RunningServers(stores, Collections.nCopies(count, 0), settings);
  }

  /** Returns a server over each of these stores, which are closed with the servers. */
  public static RunningServers over(List<BlobStore> stores) {
    return new RunningServers(stores, Collections.nCopies(stores.size(), 0), config -> config);
  }

  /** Starts servers at addresses that were in use before. */
  public static RunningServers over(List<BlobStore> stores, List<URI> uris) {
    return new RunningServers(stores, uris.stream().map(URI::getPort).toList(), config -> config);
  }

  private CacheServer start(BlobStore store, int port) {
    try {
      return CacheServer.start(settings.apply(ServerConfig.on("127.0.0.1", port)), store);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the addresses of the servers. */
  public List<URI> uris() {
    return uris;
  }

  /** Has all servers follow a plan of spaces. */
  public void apply(SpacePlan plan) {
    servers.forEach(server -> server.applySpaces(plan));
  }

  /** Returns the store behind a server. */
  public BlobStore store(int index) {
    return stores.get(index);
  }

  /** Ends one server. */
  public void stop(int index) {
    try {
      servers.get(index).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it again on its old port, with its old store. */
  public void restart(int index) {
    servers.set(index, start(stores.get(index), uris.get(index).getPort()));
  }

  @Override
  public void close() {
    for (int i = 0; i < servers.size(); i++) {
      stop(i);
    }
    stores.forEach(BlobStore::close);
  }
}
