package io.quiver.node;

import io.quiver.server.CacheServer;
import io.quiver.server.ServerConfig;
import io.quiver.server.plan.PlanFollower;
import io.quiver.server.plan.PlanSource;
import io.quiver.store.BlobStore;
import io.quiver.store.StoreException;
import io.quiver.store.ssd.RecoveryProgress;
import io.quiver.store.ssd.SsdBlobStore;
import io.quiver.store.ssd.SsdStoreConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A cache server together with the store it serves and the manager it follows, if any. */
public final class HostedServer implements AutoCloseable {
  private final ServerConfig config;
  private final BlobStore store;
  private final CacheServer server;
  private final long usableBytes;
  private @Nullable PlanFollower follower;

  private HostedServer(ServerConfig config, BlobStore store, CacheServer server, long usableBytes) {
    this.config = config;
    this.store = store;
    this.server = server;
    this.usableBytes = usableBytes;
  }

  /** Opens the store, which may take long, and serves it. */
  public static HostedServer start(
      ServerConfig serverConfig, SsdStoreConfig storeConfig, RecoveryProgress progress)
      throws NodeException {
    for (Path directory : storeConfig.directories()) {
      Disks.ensure(directory);
    }
    BlobStore store = open(storeConfig, progress);
    try {
      CacheServer server = CacheServer.start(serverConfig, store);
      return new HostedServer(serverConfig, store, server, storeConfig.usableBytes());
    } catch (IOException | RuntimeException e) {
      store.close();
      throw cannotListen(serverConfig.host(), serverConfig.port(), e);
    }
  }

  private static BlobStore open(SsdStoreConfig config, RecoveryProgress progress)
      throws NodeException {
    try {
      return SsdBlobStore.open(config, progress);
    } catch (StoreException e) {
      throw new NodeException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns the failure to show when an address cannot be listened on. */
  static NodeException cannotListen(String host, int port, Exception cause) {
    String reason =
        cause instanceof BindException
            ? "port " + port + " of " + host + " is taken or not allowed"
            : "cannot listen on " + host + " port " + port + ": " + cause.getMessage();
    return new NodeException(reason + "; choose another port (0 takes any free one)", cause);
  }

  /** Does from now on what a manager plans; called once, and closes the source in the end. */
  public void follow(PlanSource manager) {
    follower = PlanFollower.start(manager, name(), uri(), usableBytes, store, server);
  }

  /** Returns the server's name. */
  public String name() {
    return config.name();
  }

  /** Returns where clients find it. */
  public URI uri() {
    return server.uri();
  }

  /** Returns the server itself. */
  public CacheServer server() {
    return server;
  }

  /** Returns the store behind it. */
  public BlobStore store() {
    return store;
  }

  /** Stops serving, then releases the disks. */
  @Override
  public void close() throws IOException {
    try {
      if (follower != null) {
        follower.close();
      }
      server.close();
    } finally {
      store.close();
    }
  }
}
